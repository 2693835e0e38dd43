"""Names in the WGSL are the user's names, made legal and unique: reserved words and predeclared names get a suffix.

    target -> target_      two values called t in one block -> t, t_1

Source of the words: the WGSL specification, "Keywords", "Reserved Words" and "Predeclared Types and Functions".
"""

from __future__ import annotations

from dataclasses import dataclass, field

from shaderdsl.ir.builtins import Builtin
from shaderdsl.ir.expr import Input
from shaderdsl.ir.stmt import AtomicOp, BarrierKind

KEYWORDS = frozenset(
    """alias break case const const_assert continue continuing default diagnostic discard else enable false fn for if let
    loop override requires return struct switch true var while""".split()
)
RESERVED = frozenset(
    """NULL Self abstract active alignas alignof as asm asm_fragment async attribute auto await become cast catch class
    co_await co_return co_yield coherent column_major common compile compile_fragment concept const_cast consteval constexpr
    constinit crate debugger decltype delete demote demote_to_helper do dynamic_cast enum explicit export extends extern
    external fallthrough filter final finally friend from fxgroup get goto groupshared highp impl implements import inline
    instanceof interface layout lowp macro macro_rules match mediump meta mod module move mut mutable namespace new nil
    noexcept noinline nointerpolation non_coherent noncoherent noperspective null nullptr of operator package packoffset
    partition pass patch pixelfragment precise precision premerge priv protected pub public readonly ref regardless register
    reinterpret_cast require resource restrict self set shared sizeof smooth snorm static static_assert static_cast std
    subroutine super target template this thread_local throw trait try type typedef typeid typename typeof union unless
    unorm unsafe unsized use using varying virtual volatile wgsl where with writeonly yield""".split()
)
TYPES = frozenset(
    """bool i32 u32 f32 f16 array atomic ptr vec2 vec3 vec4 mat2x2 mat2x3 mat2x4 mat3x2 mat3x3 mat3x4 mat4x2 mat4x3 mat4x4
    sampler sampler_comparison texture_1d texture_2d texture_2d_array texture_3d texture_cube texture_cube_array
    texture_multisampled_2d texture_depth_multisampled_2d texture_external texture_storage_1d texture_storage_2d
    texture_storage_2d_array texture_storage_3d texture_depth_2d texture_depth_2d_array texture_depth_cube
    texture_depth_cube_array subgroup_matrix_left subgroup_matrix_right subgroup_matrix_result binding_array""".split()
)
ALIASES = frozenset(f"vec{n}{s}" for n in "234" for s in "fhiu") | frozenset(
    f"mat{c}x{r}{s}" for c in "234" for r in "234" for s in "fh"
)
OTHER_FUNCTIONS = frozenset(
    """arrayLength bitcast dpdx dpdxCoarse dpdxFine dpdy dpdyCoarse dpdyFine fwidth fwidthCoarse fwidthFine
    textureDimensions textureGather textureGatherCompare textureLoad textureNumLayers textureNumLevels textureNumSamples
    textureSample textureSampleBias textureSampleCompare textureSampleCompareLevel textureSampleGrad textureSampleLevel
    textureSampleBaseClampToEdge textureStore textureBarrier workgroupUniformLoad subgroupAdd subgroupExclusiveAdd
    subgroupInclusiveAdd subgroupAll subgroupAnd subgroupAny subgroupBallot subgroupBroadcast subgroupBroadcastFirst
    subgroupElect subgroupMax subgroupMin subgroupMul subgroupExclusiveMul subgroupInclusiveMul subgroupOr subgroupShuffle
    subgroupShuffleDown subgroupShuffleUp subgroupShuffleXor subgroupXor quadBroadcast quadSwapDiagonal quadSwapX quadSwapY""".split()
)
ENUMERANTS = frozenset("""read write read_write function private workgroup uniform storage""".split())
PREDECLARED = (
    TYPES
    | ALIASES
    | OTHER_FUNCTIONS
    | ENUMERANTS
    | {b.value for b in Builtin}
    | {a.value for a in AtomicOp}
    | {b.value for b in BarrierKind}
)
FORBIDDEN = KEYWORDS | RESERVED | PREDECLARED
INPUTS = frozenset(i.value for i in Input)


def legal(name: str) -> str:
    """The nearest identifier that WGSL accepts and that hides nothing predeclared."""
    stripped = name.strip("_") if name.startswith("__") or name == "_" else name
    stripped = stripped or "v"
    return f"{stripped}_" if stripped in FORBIDDEN else stripped


@dataclass(slots=True)
class NameScope:
    """Names taken in one scope, and the last suffix given to each base, so that the next is found at once."""

    taken: set[str] = field(default_factory=set[str])
    suffixes: dict[str, int] = field(default_factory=dict[str, int])


@dataclass(slots=True)
class Names:
    """Names in use: module scope, then one for each open block. No local hides another name that is in scope."""

    scopes: list[NameScope] = field(default_factory=lambda: [NameScope()])
    given: dict[object, str] = field(default_factory=dict[object, str])

    def taken(self, name: str) -> bool:
        return any(name in scope.taken for scope in self.scopes)

    def reserve(self, names: frozenset[str]) -> None:
        """Keep names free at module scope."""
        self.scopes[0].taken |= names

    def fresh(self, wanted: str) -> str:
        """`wanted`, made legal, with the least suffix that makes it unique here."""
        base = legal(wanted)
        name, number = base, max(scope.suffixes.get(base, 0) for scope in self.scopes)
        while self.taken(name):
            number += 1
            name = f"{base}{number}" if base.endswith("_") else f"{base}_{number}"
        self.scopes[-1].taken.add(name)
        self.scopes[-1].suffixes[base] = number
        return name

    def define(self, thing: object, wanted: str) -> str:
        """Give `thing` a name in the innermost scope."""
        name = self.given[thing] = self.fresh(wanted)
        return name

    def of(self, thing: object) -> str:
        """The name of something defined before."""
        return self.given[thing]

    def open(self) -> None:
        self.scopes.append(NameScope())

    def close(self) -> None:
        self.scopes.pop()
