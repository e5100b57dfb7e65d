"""A kitchen counter with the mixer, the speaker and the tablet in use."""
import math
from functools import partial

import bpy
import numpy as np
from mathutils import Matrix

import materials
import room
import shapes
import shots
import studio
from mixer import mixer
from room import CREAM, SAND, TEAL, boxes, node, put, wood
from shapes import move
from speaker import speaker
from tablet import HEIGHT, THICK, slate, tablet_look

WALL = 3.0          # the tiles' front
WALNUT = {'dark': '#6f4426', 'light': '#b57e4c'}


def counter():
    """Builds the wooden counter, the tiles and the shelf above them, in daylight."""
    room.planks(-14, 14, -7.5, WALL + .1, 0, .62, 4.5)
    glaze = room.varied('glaze', '#e2cfb2', '#fbf1e0', rough=.22, coat=.4, coat_rough=.12)
    boxes('tiles', [(x + .02, WALL, z + .02, x + .98, WALL + .2, z + .98)
                    for x in np.arange(-14, 14) for z in np.arange(4)], glaze, bevel=.03, tilt=.012)
    boxes('grout', [(-14, WALL + .03, 0, 14, WALL + .5, 4)], materials.plain('grout', '#cdb798', rough=.9))
    boxes('shelf', [(-14, WALL - 1.3, 4.05, 14, WALL + .1, 4.27)], wood(), bevel=.02)
    room.daylight(-10, -3.4, 8.0, 4.6, 7, 1000, WALL + .08)


def lump(name, long, wide, high, material):
    """Builds something baked or kneaded: round, flat below, and not quite even."""
    profile = [(math.cos(a) ** .75, .44 + (.44 if a < 0 else .56) * math.sin(a))
               for a in np.radians(np.linspace(-89, 90, 40))]
    item = shapes.lathe(name, profile, material, smooth_angle=80)
    item.data.transform(Matrix.Diagonal((long, wide, high, 1)))
    lumps = item.modifiers.new('lumps', 'DISPLACE')
    lumps.texture = bpy.data.textures.new('lumps', 'CLOUDS')
    lumps.texture.noise_scale, lumps.strength = .8, .08 * high


def dough():
    """Builds a ball of dough."""
    lump('dough', .62, .62, .52, materials.grain(materials.plain('dough', '#f0dcb8', rough=.75, spec=.25), 7, .02))


def loaf():
    """Builds a floured loaf with slanted cuts."""
    crust = room.varied('crust', '#5a2b10', '#bd7a38', (2.2, 2.2, 2.2), bump=.05, rough=.8, spec=.2)
    shader, place = materials.shader(crust), room.object_place(crust)
    brown = shader.inputs['Base Color'].links[0].from_socket
    height = node(crust, 'SeparateXYZ', {0: place}).node.outputs['Z']
    above = node(crust, 'MapRange', {'Value': height, 'From Min': .55, 'From Max': .85})
    cuts = node(crust, 'TexWave', {'Vector': place, 'Scale': .8, 'Distortion': 1.5, 'Detail': 4, 'Detail Scale': 2},
                bands_direction='DIAGONAL')
    cut = node(crust, 'Math', {1: above, 0: node(crust, 'MapRange', {'Value': cuts, 'From Min': .86, 'From Max': .95})},
               operation='MULTIPLY')
    specks = node(crust, 'TexNoise', {'Vector': place, 'Scale': 9, 'Detail': 6, 'Roughness': .8})
    dust = node(crust, 'MapRange', {'Value': specks, 'From Min': .5, 'From Max': .75, 'To Max': .7})
    floured = node(crust, 'MixRGB', {'Fac': dust, 'Color1': brown, 'Color2': materials.rgba('#f3e3c8')})
    crumb = node(crust, 'MixRGB', {'Fac': cut, 'Color1': floured, 'Color2': materials.rgba('#f0d3a0')})
    crust.node_tree.links.new(crumb, shader.inputs['Base Color'])
    lump('loaf', 1.3, .8, .95, crust)


def dusting(radius, density):
    """Builds a thin, patchy layer of flour that fades outward."""
    flour = materials.plain('flour', '#fffaf0', rough=1, spec=0)
    place = room.object_place(flour)
    noise = node(flour, 'TexNoise', {'Vector': place, 'Scale': 3.2 / radius, 'Detail': 9, 'Roughness': .72})
    far = node(flour, 'VectorMath', {0: place}, operation='LENGTH').node.outputs['Value']
    left = node(flour, 'Math', {0: far, 1: -.62 / radius, 2: noise}, operation='MULTIPLY_ADD')
    share = node(flour, 'MapRange', {'Value': left, 'From Min': .5 - density * .55, 'From Max': .6})
    mix = node(flour, 'MixShader', {0: share, 1: node(flour, 'BsdfTransparent'),
                                    2: materials.shader(flour).outputs[0]})
    flour.node_tree.links.new(mix, flour.node_tree.nodes['Material Output'].inputs['Surface'])
    shapes.lathe('flour', [(radius, 0), (0, 0)], flour, segments=48)


def board():
    """Builds a cutting board of 34 x 22 cm."""
    shapes.slab('board', shapes.rounded_rect(3.4, 2.2, .22), 0, .2, wood(**WALNUT), bevel=.03)


def eggs():
    """Builds a bowl with four eggs."""
    room.vessel(TEAL, .78, .55, .42, 2.2)
    shell = materials.plain('egg', '#e2b690', rough=.55, spec=.3)
    profile = [(.215 * math.cos(a) * (1 - .16 * math.sin(a)), .285 * math.sin(a))
               for a in np.radians(np.linspace(-90, 90, 30))]
    for x, y, z, turn in ((-.26, -.12, .40, 70), (.26, -.14, .42, 20), (.02, .28, .42, 140), (.05, -.02, .66, 95)):
        shapes.lathe('egg', profile, shell, 48, 80).matrix_world = (
            move(x, y, z) @ Matrix.Rotation(math.radians(turn), 4, 'Z') @ Matrix.Rotation(math.radians(72), 4, 'X'))


def rolling_pin():
    """Builds a rolling pin of 40 cm along x that lies on z = 0."""
    half = [(0, 2.02), (.09, 2.0), (.13, 1.9), (.13, 1.75), (.08, 1.55), (.10, 1.40), (.26, 1.36), (.28, 1.30)]
    pin = shapes.lathe('rolling pin', [(r, -z) for r, z in half] + half[::-1], wood((9, 9, .5)))
    pin.matrix_world = move(0, 0, .28) @ shapes.FACE_LEFT


def spoons():
    """Builds a crock with three wooden spoons."""
    room.vessel(SAND, .52, 1.4, .9)
    profile = [(0, 0), (.05, 0), (.05, 2.1), (.11, 2.25), (.22, 2.5), (.24, 2.7), (.18, 2.88), (0, 2.95)]
    for turn, lean in ((20, 8), (140, 9), (255, 7)):
        shapes.lathe('spoon', profile, wood((9, 9, .5)), 32, 80, subdivide=2).matrix_world = (
            move(0, 0, .1) @ Matrix.Rotation(math.radians(turn), 4, 'Z')
            @ Matrix.Rotation(math.radians(lean), 4, 'X') @ Matrix.Diagonal((1, .35, 1, 1)))


def bread_box():
    """Builds an enameled bread box with a round front and wooden ends."""
    for name, x0, x1, grow, look in (
            ('body', -1.6, 1.6, 0, materials.plain('enamel', TEAL, rough=.35, coat=.6, coat_rough=.1)),
            ('end', -1.75, -1.58, .06, wood((9, .5, 9))), ('end', 1.58, 1.75, .06, wood((9, .5, 9)))):
        arc = [(-.95 + 1.25 - (1.25 + grow) * math.cos(a), .5 + (1.25 + grow) * math.sin(a))
               for a in np.radians(np.linspace(0, 90, 25))]
        outline = [(.95, .06 - grow), (.95, 1.75 + grow)] + arc[::-1] + [(-.95 - grow, .06 - grow)]
        part = shapes.slab(name, outline, x0, x1, look, bevel=.02)
        part.matrix_world = Matrix(((0, 0, 1, 0), (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 0, 1)))
    shapes.tube('handle', [(-.5, -.66, 1.25), (-.45, -.83, 1.3), (.45, -.83, 1.3), (.5, -.66, 1.25)], .05, wood())


def tablet_stand():
    """Builds the tablet with a recipe in the groove of a wooden stand."""
    boxes('stand', [(-.8, -.30, 0, .8, .62, .16), (-.8, -.30, .1, .8, -.10, .34), (-.8, .16, .1, .8, .40, 1.0)], wood(),
          bevel=.03)
    root, _ = studio.group('slate', slate, tablet_look('tablet-recipe.png'))
    root.matrix_world = (move(0, -.06, .19) @ Matrix.Rotation(math.radians(70), 4, 'X')
                         @ move(0, HEIGHT / 2, THICK / 2))


def baking():
    """The mixer, with dough on a board, a rolling pin, eggs and flour."""
    counter()
    put(mixer, at=(.45, .95, 0), turn=-8)
    put(board, at=(-1.5, -1.75, 0), turn=4)
    put(dough, at=(-2.3, -1.5, .2))
    put(dusting, 1.6, .85, at=(-1.5, -1.75, .203))
    put(dusting, 2.4, .7, at=(.3, -2.3, .002))
    put(rolling_pin, at=(-.95, -2.15, .2), turn=22)
    put(eggs, at=(2.0, -1.3, 0))
    put(spoons, at=(-2.6, 1.9, 0))
    put(room.vessel, CREAM, .5, 1.0, at=(-1.9, 2.2, 4.27))
    put(room.vessel, TEAL, .4, .8, at=(-.8, 2.3, 4.27))
    put(room.plant, SAND, droop=150, at=(2.3, 2.1, 4.27))
    room.camera((-.05, 0, 1.8), -22, 14, 6.9)


def listening():
    """The speaker beside the bread box, with a cup and a loaf."""
    counter()
    put(bread_box, at=(1.5, 1.75, 0), turn=-4)
    put(speaker, at=(-.15, .1, 0))
    put(room.cup, at=(1.2, .45, 0), turn=-50)
    put(board, at=(-1.7, 1.6, 0), turn=4)
    put(loaf, at=(-1.75, 1.6, .2), turn=8)
    room.camera((.16, 0, .78), -18, 21, 3.4, lens=80)


def cooking():
    """The tablet in a stand with a recipe, beside the loaf."""
    counter()
    put(tablet_stand, at=(.15, .4, 0), turn=-12)
    put(board, at=(2.1, 1.1, 0), turn=-5)
    put(loaf, at=(2.1, 1.1, .2), turn=-8)
    put(eggs, at=(-1.6, -.5, 0))
    put(dusting, 1.5, .7, at=(.9, -1.1, .002))
    put(spoons, at=(-2.0, 2.2, 0))
    room.camera((.05, .4, 1.3), -16, 15, 5.2)


PICTURES = {
    'mixer-5': partial(shots.banner, baking, size=shots.SQUARE),
    'speaker-5': partial(shots.banner, listening, size=shots.SQUARE),
    'tablet-5': partial(shots.banner, cooking, size=shots.SQUARE),
}
