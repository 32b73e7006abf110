"""What a running backward says of itself: which nodes it will run, in which order, and which runs now."""

from __future__ import annotations

from tests.parity.autograd.same import err, named


def order_of_a_backward(torch):
    """The order foretold, and the order of the tensors' hooks."""
    found = []

    def run(make):
        leaves = [torch.tensor(float(n + 1), requires_grad=True) for n in range(2)]
        tensors = [*leaves, *make(*leaves)]
        ran = []
        for number, tensor in enumerate(tensors):
            tensor.register_hook(lambda grad, number=number: ran.append(number))
        foretold = []
        tensors[-1].register_hook(lambda grad: foretold.extend(torch._C._current_graph_task_execution_order()))
        with torch.autograd.set_multithreading_enabled(False):
            tensors[-1].backward(retain_graph=True)
            inner = named(foretold)
            foretold.clear()
            torch.autograd.grad(tensors[-1], leaves[:1], allow_unused=True)
        found.append((ran, inner, named(foretold)))

    def crossed(a, b):
        c, d = b.sin(), a.cos()
        return c, d, c * d

    def shared(a, b):
        c, d = a.sin(), a.cos()
        return c, d, c * d + b

    def chain(a, b):
        c = a * 2
        return c, c.exp(), c.exp() + c * b

    for make in (crossed, shared, chain):
        run(make)
    return found


def who_will_run(torch):
    """Asked inside hooks, outside of any backward, and of what is no node."""
    a = torch.tensor([1.0], requires_grad=True)
    b = torch.tensor([2.0], requires_grad=True)
    c = a * b
    d = c.exp()
    e = c.sin()
    answers = []

    def ask(grad):
        for tensor in (c, d, e):
            answers.append(torch._C._will_engine_execute_node(tensor.grad_fn))

    c.register_hook(ask)
    d.sum().backward(retain_graph=True)
    torch.autograd.backward(e.sum(), inputs=(a,), retain_graph=True)
    return answers, [err(lambda v=v: torch._C._will_engine_execute_node(v)) for v in (c.grad_fn, c, 3.0)]


def numbers_of_backwards(torch):
    """One after the other, also those nobody asks about; -1 outside."""
    seen = []
    x = torch.ones(2, requires_grad=True)
    y = x.clone()
    y.register_hook(lambda grad: seen.append(torch._C._current_graph_task_id()))
    for _ in range(3):
        y.sum().backward()
        (x * 2).sum().backward()
    return seen[1] - seen[0], seen[2] - seen[1], torch._C._current_graph_task_id()


def hook_that_comes_while_its_node_runs(torch):
    """It is called, with what the node gave and without what the node was given."""
    seen = []

    def unpack(held):
        node = torch._C._current_autograd_node()

        def halve(given, taken):
            seen.append([each is None for each in taken])
            return tuple(None if each is None else each / 2 for each in given)

        node.register_hook(halve)
        return held

    x = torch.tensor([1.0, 2.0, 4.0], requires_grad=True)
    with torch.autograd.graph.saved_tensors_hooks(lambda held: held, unpack):
        variance, mean = torch.var_mean(x, dim=0)
    (variance + mean).backward()
    return x.grad, seen


def counts_of_writes_set_by_hand(torch):
    """Zero and more are taken, and seen through views."""
    x = torch.ones(3)
    x.add_(1)
    view = x[1:]
    set_count = torch._C._autograd._unsafe_set_version_counter
    set_count((x,), (7,))
    return x._version, view._version, err(lambda: set_count((x,), (-1,)))


def reference_that_does_not_keep(torch):
    def made():
        tensor = torch.ones(2)
        reference = torch._C._WeakTensorRef(tensor)
        return reference, reference.expired()

    reference, before = made()
    return before, reference.expired()


def view_written_with_its_ops_tracked(torch):
    """The history of a written view names what made the view only where that is asked for."""

    def written():
        x = torch.ones(2, 2, requires_grad=True)
        view = x.clone().view(-1)
        view.mul_(3)
        view.sum().backward()
        return view.grad_fn.name(), x.grad

    with torch.autograd._force_original_view_tracking(True):
        inside = written()
    return inside, written(), torch.autograd.is_view_replay_enabled()


def batches_of_cotangents_that_do_not_fit(torch):
    x = torch.ones(2, 2, requires_grad=True)
    grad = torch.autograd.grad
    return [
        err(lambda: grad(x.clone(), x, torch.ones(3, 2), is_grads_batched=True)),
        err(lambda: grad(x.sum(), x, torch.ones(3, 1), is_grads_batched=True)),
        err(lambda: grad(x.sum(), x, torch.ones(3), is_grads_batched=True)),
    ]
