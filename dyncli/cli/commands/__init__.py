"""The commands in the order `dyncli --help` lists them: name = file = function, and what it shows."""

COMMANDS = {
    "run": "Run a model: outputs, gradients, and which way it went.",
    "graph": "Draw what ran: ops, decisions, the arms left, gradients.",
    "trace": "Time, memory and the first NaN: what every op cost, forward and backward.",
    "gradcheck": "Check gradients against finite differences that know the path.",
    "diff": "Compare two runs: where they part, and what differs after that.",
    "cover": "Run a model over many inputs: arms never reached, paths.",
    "export": "Write an ONNX model with the branches and loops that the runs took.",
    "models": "List the bundled models: what each teaches and how to run it.",
}
