"""What the source says that a trace cannot see: names that are assigned, and `return`, `break`, `continue` in traced blocks.

A function's source is parsed once per code object. Where there is no source (`python -c`, generated code), names are not known and
rebinding is checked against all locals.
"""

from __future__ import annotations

import ast
import linecache
from dataclasses import dataclass, field
from functools import lru_cache
from types import CodeType

from shaderdsl.source import Span

Position = tuple[int, int, int, int]
"""Line, end line, column, end column in bytes: the order of `co_positions`."""

BLOCKS = frozenset({"if_", "elif_", "else_", "loop", "range"})
DOMAINS = frozenset({"each", "each_group"})
STATEMENTS = frozenset({"barrier", "storage_barrier", "break_", "continue_", "return_"})


@dataclass(frozen=True, slots=True, eq=False)
class SourceBlock:
    """A traced block: every name that is assigned in it, with the place of the last assignment."""

    stores: dict[str, Span]
    end: int


@dataclass(frozen=True, slots=True, eq=False)
class Lie:
    """A Python statement in a traced block that would run while tracing, whatever the condition."""

    keyword: str
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Scan:
    names: dict[Position, str] = field(default_factory=dict[Position, str])
    tuples: dict[Position, tuple[str, ...]] = field(default_factory=dict[Position, tuple[str, ...]])
    blocks: dict[Position, SourceBlock] = field(default_factory=dict[Position, SourceBlock])
    lies: list[Lie] = field(default_factory=list[Lie])
    rebound: dict[str, Span] = field(default_factory=dict[str, Span])
    body: list[ast.stmt] = field(default_factory=list[ast.stmt])


def scan(code: CodeType) -> Scan | None:
    """The facts of one function's source, or None where its source cannot be found."""
    path = code.co_filename
    lines = tuple(linecache.getlines(path))
    node = functions(path, lines).get((code.co_firstlineno, code.co_name)) if lines else None
    if node is None:
        return None
    result = Scan()
    walker = Walker(path, lines, result)
    for statement in node.body:
        walker.statement(statement, None)
        walker.stores_of(statement, result.rebound, items=False)
    result.body.extend(node.body)
    return result


def read_after(found: Scan, name: str, line: int) -> ast.Name | None:
    """Where a name is first met below a line of the function, if it is read there and not assigned."""
    every = [n for statement in found.body for n in ast.walk(statement) if isinstance(n, ast.Name) and n.id == name]
    below = sorted((n for n in every if n.lineno > line), key=lambda n: (n.lineno, isinstance(n.ctx, ast.Store)))
    first = below[0] if below else None
    return first if first is not None and isinstance(first.ctx, ast.Load) else None


@lru_cache(maxsize=16)
def functions(path: str, lines: tuple[str, ...]) -> dict[tuple[int, str], ast.FunctionDef]:
    """Every function of a file by first line (a decorator's, if it has one) and name."""
    try:
        tree = ast.parse("".join(lines), path)
    except SyntaxError:
        return {}
    found: dict[tuple[int, str], ast.FunctionDef] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            found[first, node.name] = node
    return found


@dataclass(slots=True)
class Walker:
    """One walk over a function's statements. `context` is what a jump would leave: 'range', 'block',
    'python' (a static loop), 'python-in-block', or None."""

    path: str
    lines: tuple[str, ...]
    result: Scan

    def statement(self, node: ast.stmt, context: str | None) -> None:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                return
            case ast.Expr(value=ast.Attribute(value=ast.Name(), attr=name)) if name in STATEMENTS:
                self.result.lies.append(Lie(f"{name} without parentheses", self.span(node)))
            case ast.Return():
                self.jump("return", node, context not in (None, "python"))
            case ast.Break():
                self.jump("break", node, context in ("range", "block"))
            case ast.Continue():
                self.jump("continue", node, context in ("range", "block"))
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                self.result.names[position(value)] = name
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                self.result.names[position(value)] = name
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
                pairs = zip(targets, values) if len(targets) == len(values) else ()
                self.result.names.update((position(v), t.id) for t, v in pairs if isinstance(t, ast.Name))
            case ast.With():
                self.with_block(node, context)
                return
            case ast.For():
                self.for_loop(node, context)
                return
            case _:
                pass
        inner = static_loop(context) if isinstance(node, ast.While) else context
        self.walrus(node)
        self.children(node, inner)

    def children(self, node: ast.stmt, context: str | None) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.stmt):
                self.statement(child, context)
            elif isinstance(child, ast.ExceptHandler | ast.match_case):
                for statement in child.body:
                    self.statement(statement, context)

    def walrus(self, node: ast.stmt) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                for inner in ast.walk(child):
                    if isinstance(inner, ast.NamedExpr):
                        self.result.names[position(inner.value)] = inner.target.id

    def with_block(self, node: ast.With, context: str | None) -> None:
        inner = context
        for item in node.items:
            method = method_of(item.context_expr)
            self.uncalled(item.context_expr)
            if isinstance(item.optional_vars, ast.Name):
                self.result.names[position(item.context_expr)] = item.optional_vars.id
            if isinstance(item.optional_vars, ast.Tuple):
                names = tuple(e.id for e in item.optional_vars.elts if isinstance(e, ast.Name))
                self.result.tuples[position(item.context_expr)] = names
            if method in BLOCKS:
                inner = "block"
                self.block(item.context_expr, node.body)
            elif method in DOMAINS:
                inner = "block"
        for statement in node.body:
            self.statement(statement, inner)

    def uncalled(self, node: ast.expr) -> None:
        """A block's method without its parentheses, as in `with k.else_:`."""
        match node:
            case ast.Attribute(value=ast.Name(), attr=name) if name in BLOCKS | DOMAINS:
                self.result.lies.append(Lie(f"{name} without parentheses", self.span(node)))
            case _:
                pass

    def for_loop(self, node: ast.For, context: str | None) -> None:
        self.uncalled(node.iter)
        traced = method_of(node.iter) == "range"
        if traced:
            self.block(node.iter, node.body)
            if isinstance(node.target, ast.Name):
                self.result.names[position(node.iter)] = node.target.id
        for statement in node.body:
            self.statement(statement, "range" if traced else static_loop(context))
        for statement in node.orelse:
            self.statement(statement, context)

    def block(self, call: ast.expr, body: list[ast.stmt]) -> None:
        stores: dict[str, Span] = {}
        for statement in body:
            self.stores_of(statement, stores)
        last = body[-1].end_lineno or body[-1].lineno
        self.result.blocks[position(call)] = SourceBlock(stores, last)

    def stores_of(self, node: ast.stmt, stores: dict[str, Span], *, items: bool = True) -> None:
        """Names that `node` assigns, or assigns items of, but for the targets of static `for` loops and whatever nested functions do."""
        stack: list[ast.AST] = [node]
        while stack:
            current = stack.pop()
            if isinstance(current, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
                continue
            match current:
                case ast.Name(id=name, ctx=ast.Store()):
                    stores[name] = self.span(current)
                case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                    stores[name] = self.span(current)
                case ast.Subscript(ctx=ast.Store()) | ast.Attribute(ctx=ast.Store()) if items:
                    stores.setdefault(holder_of(current), self.span(current))
                case _:
                    pass
            skipped = current.target if isinstance(current, ast.For | ast.comprehension) else None
            stack += [c for c in reversed(list(ast.iter_child_nodes(current))) if c is not skipped]

    def jump(self, keyword: str, node: ast.stmt, lies: bool) -> None:
        if lies:
            self.result.lies.append(Lie(keyword, self.span(node)))

    def span(self, node: ast.stmt | ast.expr | ast.pattern) -> Span:
        text = self.lines[node.lineno - 1].rstrip("\n")
        start = len(text.encode()[: node.col_offset].decode(errors="ignore")) + 1
        width = (node.end_col_offset or node.col_offset + 1) - node.col_offset
        return Span(self.path, node.lineno, start, node.lineno, start + max(width, 1), text)


def holder_of(node: ast.expr) -> str:
    """The name whose item or attribute is assigned: `state` in `state.rows[0].best = ...`; empty where it has none."""
    while isinstance(node, ast.Subscript | ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def static_loop(context: str | None) -> str:
    """The context inside a Python loop: `break` leaves that loop honestly, `return` may still leave a traced block."""
    return "python" if context in (None, "python") else "python-in-block"


def method_of(node: ast.expr) -> str | None:
    """The method's name in `k.method(...)`."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr
    return None


def position(node: ast.expr) -> Position:
    return (node.lineno, node.end_lineno or node.lineno, node.col_offset, node.end_col_offset or node.col_offset)
