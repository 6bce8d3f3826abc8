-- The user that runs the statements a model writes: it can read and nothing else. Change the password.
CREATE USER IF NOT EXISTS 'tablerag_reader'@'%' IDENTIFIED BY 'tablerag';
GRANT SELECT ON tablerag.* TO 'tablerag_reader'@'%';
