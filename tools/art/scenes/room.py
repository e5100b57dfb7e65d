"""What the kitchen and the desk share: wood, the light of a window, the camera, vessels and plants."""
import math

import bpy
import numpy as np
from mathutils import Matrix, Vector

import materials
import shapes
import studio
from shapes import move

APRICOT, CREAM, SAND, TEAL, CLAY = '#f2b883', '#f6ead8', '#dcbf98', '#2f6f79', '#e58f5b'


def put(build, *args, at, turn=0, tip=0, **options):
    """Builds something at a point, tipped backward by `tip` degrees, then turned by `turn` degrees."""
    root, _ = studio.group(build.__name__, build, *args, **options)
    root.matrix_world = (move(*at) @ Matrix.Rotation(math.radians(turn), 4, 'Z')
                         @ Matrix.Rotation(math.radians(-tip), 4, 'X'))


def boxes(name, corners, material, bevel=.015, tilt=0.0):
    """Builds boxes of (x0, y0, z0, x1, y1, z1) as one mesh. `tilt` is the largest random slope of their fronts."""
    random, verts, faces = np.random.default_rng(5), [], []
    for x0, y0, z0, x1, y1, z1 in corners:
        n, (a, b) = len(verts), random.uniform(-tilt, tilt, 2)
        verts += [(x, y + (y == y0) * (a * (x - x0) + b * (z - z0)), z)
                  for z in (z0, z1) for x, y in ((x0, y0), (x1, y0), (x1, y1), (x0, y1))]
        faces += [[n + i for i in side] for side in
                  ((3, 2, 1, 0), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7))]
    return shapes.mesh(name, verts, faces, material, smooth_angle=30, bevel=bevel)


# Materials ----------------------------------------------------------------------------------------
def node(material, kind, inputs=None, **options):
    """Adds a node whose inputs are values or outputs of other nodes. Returns its first output."""
    made = material.node_tree.nodes.new('ShaderNode' + kind)
    for name, value in options.items():
        setattr(made, name, value)
    for name, value in (inputs or {}).items():
        if isinstance(value, bpy.types.NodeSocket):
            material.node_tree.links.new(value, made.inputs[name])
        else:
            made.inputs[name].default_value = value
    return made.outputs[0]


def object_place(material):
    """Returns the position within the object."""
    return node(material, 'TexCoord').node.outputs['Object']


def varied(name, dark, light, stretch=(0, 0, 0), bump=0.0, **options):
    """Returns a material between two colors, different for each separate part of a mesh.

    stretch   scale along x, y and z of a grain that also changes the color
    bump      height of this grain
    """
    material = materials.plain(name, light, **options)
    part = node(material, 'NewGeometry').node.outputs['Random Per Island']
    place = node(material, 'Mapping', {'Vector': object_place(material), 'Scale': stretch, 'Location': node(
        material, 'VectorMath', {0: (70, 30, 50), 'Scale': part}, operation='SCALE')})
    grain = node(material, 'TexNoise', {'Vector': place, 'Scale': 1, 'Detail': 5, 'Distortion': .6})
    share = node(material, 'MapRange', {'From Min': .3, 'From Max': .9, 'Value': node(
        material, 'Math', {0: part, 1: .3, 2: grain}, operation='MULTIPLY_ADD')})
    color = node(material, 'MixRGB', {'Fac': share, 'Color1': materials.rgba(dark), 'Color2': materials.rgba(light)})
    shader, links = materials.shader(material), material.node_tree.links
    links.new(color, shader.inputs['Base Color'])
    links.new(node(material, 'Bump', {'Height': grain, 'Distance': bump}), shader.inputs['Normal'])
    return material


def wood(stretch=(.5, 9, 9), dark='#b58a5c', light='#ecd2ab'):
    """Returns a wood with its grain along the axis with the smallest `stretch`."""
    return varied('wood', dark, light, stretch, bump=.003, rough=.5, spec=.3)


def planks(x0, x1, y0, y1, z, width, length, **colors):
    """Builds a wooden surface at height z from staggered staves along x."""
    random, staves = np.random.default_rng(8), []
    for y in np.arange(y0, y1 - .01, width):
        x = x0
        while x < x1:
            end = min(x1, x + length * random.uniform(.4, 1.6))
            staves.append((x, y, z - .32, end, y + width, z))
            x = end
    boxes('planks', staves, wood(**colors), bevel=.004)


# Light and camera ---------------------------------------------------------------------------------
def daylight(x, y, z, width, height, sky, wall):
    """Lights the room through a window with four panes in a wall on the left, whose center is (x, y, z).

    The sun draws the panes on everything behind them, `sky` watts are a softbox as large as the window. `wall` is y of
    the plastered wall behind everything.
    """
    plaster = materials.grain(materials.plain('plaster', APRICOT, rough=.9, spec=.15), 9, .012)
    boxes('wall', [(-40, wall, -12, 40, wall + 1, 40)], plaster)
    y0, y1, z0, z1 = y - width / 2, y + width / 2, z - height / 2, z + height / 2
    solid = [(-30, y0, -12, 30), (y1, 12, -12, 30), (y0, y1, -12, z0), (y0, y1, z1, 30),
             (y - .12, y + .12, z0, z1), (y0, y1, z - .12, z + .12)]
    boxes('window', [(x - .3, a, c, x, b, d) for a, b, c, d in solid], materials.plain('window', CREAM), bevel=0)
    studio.world(.9)
    bpy.context.scene.cycles.diffuse_bounces = 3
    studio.area('sky', (x + .1, y, z), (0, 0, 1), width, height, sky, (1, .97, .93))
    sun = bpy.data.lights.new('sun', 'SUN')
    sun.energy, sun.angle, sun.color = 3.6, math.radians(.9), (1, .86, .68)
    lamp = bpy.data.objects.new('sun', sun)
    bpy.context.collection.objects.link(lamp)
    lamp.rotation_euler = Vector((1, .62, -.5)).to_track_quat('-Z', 'Y').to_euler()


def camera(target, az, el, width, lens=70, level=True):
    """Adds a camera that shows `width` units around `target`, which is in focus.

    `level` keeps vertical lines vertical. The f-number is a tenth of a real lens's, because a unit is 1 m for Blender.
    """
    view = studio.frame_detail(target, az, el, width, lens)
    if level:
        view.rotation_euler = (math.pi / 2, 0, math.radians(az))
        view.data.shift_y = -math.tan(math.radians(el)) * lens / studio.SENSOR
    view.data.dof.use_dof = True
    view.data.dof.focus_distance = width * lens / studio.SENSOR
    view.data.dof.aperture_fstop = .7


# Things -------------------------------------------------------------------------------------------
def vessel(color, radius, height, foot=.8, curve=9, content=None):
    """Builds a round vessel: `foot` is the share of the radius at the bottom, `curve` 1 makes the side straight."""
    outside = [(radius * (foot + (1 - foot) * (1 - (1 - t) ** curve)), height * t)
               for t in np.linspace(0, 1, 20) ** 1.7]
    inside = [(r - .04, max(z, .08)) for r, z in reversed(outside)]
    glaze = materials.plain('glaze', color, rough=.35, coat=.5, coat_rough=.12)
    shapes.lathe('vessel', [(0, 0)] + outside + [(radius - .02, height + .012)] + inside + [(0, .08)], glaze)
    if content:
        shapes.lathe('content', [(radius - .04, height * .85), (0, height * .85)],
                     materials.plain('content', content, rough=.2))


def cup(color=CREAM):
    """Builds a cup of coffee, 9 cm high."""
    vessel(color, .42, .9, content='#3a2013')
    path = [(.38 + .27 * max(0, math.cos(a)) ** .7, 0, .46 + .25 * math.sin(a))
            for a in np.radians(np.linspace(-90, 90, 13))]
    shapes.tube('handle', path, .05, materials.plain('glaze', color, rough=.35, coat=.5, coat_rough=.12))


def plant(pot=CREAM, leaves=24, length=1.5, droop=95, size=.62):
    """Builds a plant with arching leaves in a pot of 2 x `size` units."""
    vessel(pot, size, size * 1.6, .74, 1, '#3b2a1e')
    random, verts, faces, steps = np.random.default_rng(1), [], [], 7
    for i in range(leaves):
        turn, share, first = 2.4 * i, i / leaves, len(verts)
        long, bend = length * random.uniform(.75, 1.1), droop * random.uniform(.6, 1.1)
        lean = 8 + 42 * share + random.uniform(-8, 8)
        r, z = .08 + .2 * share, size * 1.3
        for s in np.linspace(0, 1, steps + 1):
            a = math.radians(lean + bend * s)
            r, z = r + long / steps * math.sin(a), z + long / steps * math.cos(a)
            half = length / 6 * math.sin(math.pi * min(1, .06 + .94 * s) ** .8) + .008
            for side in (-1, 0, 1):
                x, y = r + abs(side) * half * .2, side * half
                verts.append((x * math.cos(turn) - y * math.sin(turn), x * math.sin(turn) + y * math.cos(turn),
                              z + abs(side) * half * .25))
        faces += [[first + 3 * k + n for n in (j, j + 1, j + 4, j + 3)] for k in range(steps) for j in (0, 1)]
    shapes.mesh('leaves', verts, faces, varied('leaf', '#2f4d25', '#8cab5c', rough=.45, spec=.35), smooth_angle=80,
                subdivide=1)
