-- A SELECT-only user for the statements that a model writes. Change the password.
CREATE USER IF NOT EXISTS 'tablerag_reader'@'%' IDENTIFIED BY 'tablerag';
GRANT SELECT ON tablerag.* TO 'tablerag_reader'@'%';
