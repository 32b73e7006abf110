"""What can go wrong: one class per cause, each with its exit code, its message and the way out.

0 is fine; 1 the check failed; 2 usage or input; 3 the model script raised; 4 stopped by a limit; 130 interrupted.
Only `dyncli.app` turns an error into an exit code.  A class stands in the file of what it is about and is found here:
`errors.InputShape(...)`.
"""

from dyncli.errors.base import *
from dyncli.errors.check import *
from dyncli.errors.comparing import *
from dyncli.errors.coverage import *
from dyncli.errors.forcing import *
from dyncli.errors.inputs import *
from dyncli.errors.pictures import *
from dyncli.errors.run import *
from dyncli.errors.script import *
from dyncli.errors.stops import *
from dyncli.errors.usage import *
