"""A class and its term: who handed in, what is known of each, the teacher's own files, tables and pages."""
