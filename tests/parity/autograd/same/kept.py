"""What the graph keeps of tensors: the very objects, what hooks made of them, and what becomes of both."""

from __future__ import annotations

import gc
import weakref

from tests.parity.autograd.same import err


def saved_tensors_are_the_objects_that_were_given(torch):
    """A saved operand is the tensor itself, leaf or computed; a saved result is another object."""
    leaf = torch.tensor([0.5, 2.0], requires_grad=True)
    squared = leaf * leaf
    cubed = leaf * squared
    grown = leaf.exp()
    same = [squared.grad_fn._saved_other is leaf, cubed.grad_fn._saved_self is leaf]
    return [*same, cubed.grad_fn._saved_other is squared, grown.grad_fn._saved_result is grown]


def raw_saved_data(torch):
    """`data` is what the pack hook made, the operand itself, or the bare values of the node's own result."""
    leaf = torch.tensor(3.0, requires_grad=True)
    unpack = lambda kept: kept
    with torch.autograd.graph.saved_tensors_hooks(lambda tensor: tensor, unpack):
        squared = leaf**2
    grown = leaf.exp()
    again = grown**2
    packed, own, operand = (
        squared.grad_fn._raw_saved_self,
        grown.grad_fn._raw_saved_result,
        again.grad_fn._raw_saved_self,
    )
    return [packed.data is leaf, packed.unpack_hook is unpack, own.data, own.unpack_hook, operand.data is grown]


def a_tensor_saved_by_hand(torch):
    """A saved tensor made from Python goes through the hooks that are active; the class itself cannot be called."""
    seen = []
    note = lambda word: lambda tensor: (seen.append(word), tensor)[1]
    leaf = torch.tensor([1.0], requires_grad=True)
    with torch.autograd.graph.saved_tensors_hooks(note("in"), note("out")):
        held = torch._C._autograd._make_saved_tensor(leaf, is_output=False)
        values = [held.unpack(), held.unpack()]
    return [seen, values, err(torch.autograd.SavedTensor)]


def saved_once(torch):
    """`clear_saved_tensors_on_access` lets go of what was saved the first time it is taken."""
    found = []

    class Once(torch.autograd.Function):
        clear_saved_tensors_on_access = True

        @staticmethod
        def forward(ctx, x, times: int):
            ctx.save_for_backward(x)
            ctx.times = times
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            for _ in range(ctx.times):
                (x,) = ctx.saved_tensors
            alive = weakref.ref(x)
            del x
            found.append(alive() is None)
            return grad * 2, None

    leaf = torch.ones(2, requires_grad=True)
    Once.apply(leaf.clone(), 1).sum().backward()
    return [found, err(lambda: Once.apply(leaf, 2).sum().backward())]


def cut_off_after_it_was_saved(torch):
    """`detach_` of an operand that a node saved cannot be followed; that of a saved result does no harm."""
    found = []
    for name in ("sin", "exp"):
        middle = torch.tensor([1.0], requires_grad=True) * 1
        result = getattr(middle, name)()
        middle.detach_()
        found.append(err(lambda result=result: result.sum().backward()))
    return found


def graphs_die_without_the_collector(torch):
    """Neither a custom function that saves what it wrote or made, nor a checkpoint, makes a cycle."""

    class Held(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, write: bool):
            result = x.mul_(2) if write else x * 2
            if write:
                ctx.mark_dirty(x)
            ctx.save_for_backward(result)
            return result

        @staticmethod
        def backward(ctx, grad):
            return grad * 2, None

    def watched(make):
        given = torch.ones(3, requires_grad=True).clone()
        return weakref.ref(make(given.view_as(given)))

    checkpoint = torch.utils.checkpoint.checkpoint

    def recomputed(x):
        inner = lambda y: torch.autograd.grad(y.sin().exp().sum(), y, create_graph=True)[0]
        return checkpoint(lambda y: inner(y).cos(), x, use_reentrant=False)

    gc.collect()
    gc.disable()
    try:
        made = [lambda x: Held.apply(x, True), lambda x: Held.apply(x, False), recomputed]
        return [watched(each)() is None for each in made]
    finally:
        gc.enable()


def every_node_is_a_node(torch):
    """`Node` is a class of all nodes without being a base of any."""
    node_class = torch.autograd.graph.Node
    result = torch.ones(1, requires_grad=True).exp()
    node = result.grad_fn
    kinds = [type(node), torch.autograd.function.BackwardCFunction, torch._C._functions.AccumulateGrad]
    named = [issubclass(each, node_class) for each in (*kinds, torch._C._functions.DelayedError, node_class, int)]
    things = [isinstance(each, node_class) for each in (node, node.next_functions[0][0], node_class, None, 1)]
    return [named, things, node_class in type(node).mro()]


def allowed_mutations_are_counted(torch):
    """What is saved has one handle; a copy is made when it is written, also of a scalar, and dies with the graph."""
    with torch.autograd.graph.allow_mutation_on_saved_tensors() as context:
        known = lambda: (len(list(context.tid_to_weakhandle.items())), len(list(context.cloned.items())))
        leaf = torch.tensor(2.0, requires_grad=True)
        grown = torch._foreach_exp([leaf, leaf])
        counts = [known()]
        torch._foreach_add_(grown, 1)
        counts.append(known())
        (grown[0] + grown[1]).backward()
        del grown
        counts.append(known()[1])
    return [counts, leaf.grad]


def is_the_graph_kept(torch):
    """A backward can be asked whether it keeps the graph."""
    found = []

    class Asks(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()

        @staticmethod
        def backward(ctx, grad):
            found.append(torch._C._autograd._get_current_graph_task_keep_graph())
            return grad

    result = Asks.apply(torch.ones(1, requires_grad=True))
    result.backward(retain_graph=True)
    result.backward()
    return found


def a_module_hook_and_the_second_derivative(torch):
    """A gradient that comes to a module's input past its output does not call the full backward hook."""
    calls = []
    loss = torch.nn.MSELoss()
    loss.register_full_backward_hook(lambda module, inputs, outputs: calls.append(len(inputs)))
    x = torch.tensor([2.0], requires_grad=True)
    (slope,) = torch.autograd.grad(loss(x, torch.zeros(1)), x, create_graph=True)
    (curve,) = torch.autograd.grad(slope, x)
    return [calls, slope.detach(), curve]


def stopping_early(torch):
    """`set_checkpoint_early_stop` has the last word over the argument of each checkpoint."""
    checkpoint, setting = torch.utils.checkpoint.checkpoint, torch.utils.checkpoint.set_checkpoint_early_stop
    calls = []

    def function(x):
        result = x.sin().cos()
        calls.append(1)
        return result.clone()

    found = []
    for whole, own in ((None, True), (None, False), (True, False), (False, True)):
        leaf = torch.tensor(1.0, requires_grad=True)
        calls.clear()
        if whole is None:
            result = checkpoint(function, leaf, use_reentrant=False, early_stop=own)
        else:
            with setting(whole):
                result = checkpoint(function, leaf, use_reentrant=False, early_stop=own)
        result.backward()
        found.append(len(calls))
    return found
