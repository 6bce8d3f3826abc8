"""What each column of a result is, in the document's words and units, followed from the SQL to the stored columns."""
