from .limits import LIMIT
SMALL = []
for k in range(LIMIT):
    if k % 2:
        SMALL.append(k)
from .deep import area
