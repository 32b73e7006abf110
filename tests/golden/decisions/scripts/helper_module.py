import dyncore as torch  # input: [1.0, 2.0]
from neighbour_block import relu, Block
b = Block(2)
def forward(x):
    return b(relu(x))

# ----
# 0 neighbour_block.py:13 ifexp then tensor @forward>relu <gt | 3.0 > 0 T m3
# 1 neighbour_block.py:8 for loop x2 break @forward>Block.forward
# 2 neighbour_block.py:9 if else tensor in 8.0 @forward>Block.forward u1 <gt | 3.0 > 5 F m-2
# 3 neighbour_block.py:9 if then tensor in 8.1 @forward>Block.forward u1 <gt | 6.0 > 5 T m1
