"""A name and nothing else: where Python would keep its byte code, `dyncli.bytecode` keeps that of all modules.

What uninstalls this file removes its byte code from `__pycache__`, too, and leaves no file behind.
"""
