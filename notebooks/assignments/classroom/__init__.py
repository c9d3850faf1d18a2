"""What a classroom needs beside the assignments: their checks, the grader, and a class's term. To read in this order:

1. `student.py`: how a check asks a student's code; it runs here (`local.py`), or apart from us in the grader.
2. `checks/graded.py`: what every check is made of; `checks/a1_single_head/attention.py` has the first ones.
3. `grader/remote.py`: the student's code in a process of its own, asked over `wire.py`; `sandbox.py` confines it.
4. `grader/judge.py`: the points of one submission; `records.py` says what goes in and comes out, and `whole_class.py`
   grades all of them.
5. `term/result.py`: a student's total, from points, a teacher's marks and lateness.

Beside these: the commands (`__main__.py`), and how assignments are handed out and names, tables and sources read.
"""
