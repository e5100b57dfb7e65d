"""Materials. Colors are linear (r, g, b) or '#rrggbb' in sRGB."""
import math
import os

import bpy
import numpy as np

TEXTURES = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'textures')


def linear(hexcolor):
    """Converts '#rrggbb' to the linear (r, g, b) that Blender expects."""
    digits = hexcolor.lstrip('#')
    values = [int(digits[i:i + 2], 16) / 255 for i in (0, 2, 4)]
    return tuple(v / 12.92 if v < .04045 else ((v + .055) / 1.055) ** 2.4 for v in values)


def rgba(color):
    """Converts either form of a color to linear (r, g, b, 1)."""
    return (*(linear(color) if isinstance(color, str) else color), 1)


def shader(material):
    """Returns the material's Principled BSDF node."""
    return material.node_tree.nodes['Principled BSDF']


def plain(name, color, rough=.4, metal=0.0, coat=0.0, coat_rough=.03, spec=.5, aniso=0.0,
          sheen=0.0, emit=None, emit_strength=0.0):
    """Returns a material of one color. `coat` is a clear coat, `emit` the color of emitted light."""
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    inputs = shader(material).inputs
    inputs['Base Color'].default_value = rgba(color)
    inputs['Roughness'].default_value = rough
    inputs['Metallic'].default_value = metal
    inputs['Clearcoat'].default_value = coat
    inputs['Clearcoat Roughness'].default_value = coat_rough
    inputs['Specular'].default_value = spec
    inputs['Anisotropic'].default_value = aniso
    inputs['Sheen'].default_value = sheen
    if emit:
        inputs['Emission'].default_value = rgba(emit)
        inputs['Emission Strength'].default_value = emit_strength
    return material


def occlusion(short, long):
    """Returns a material that shows the share of the sky that is free within two distances, as red
    and green, without light.
    """
    material = bpy.data.materials.new('occlusion')
    material.use_nodes = True
    nodes, links = material.node_tree.nodes, material.node_tree.links
    glow = nodes.new('ShaderNodeEmission')
    colors = nodes.new('ShaderNodeCombineColor')
    for channel, distance in (('Red', short), ('Green', long)):
        free = nodes.new('ShaderNodeAmbientOcclusion')
        free.samples = 4
        free.inputs['Distance'].default_value = distance
        links.new(free.outputs['AO'], colors.inputs[channel])
    links.new(colors.outputs[0], glow.inputs['Color'])
    links.new(glow.outputs[0], nodes['Material Output'].inputs['Surface'])
    return material


def grain(material, scale, distance):
    """Adds the fine grain of molded plastic. `scale` is in grains per unit, `distance` their height."""
    nodes, links = material.node_tree.nodes, material.node_tree.links
    coordinates = nodes.new('ShaderNodeTexCoord')
    noise = nodes.new('ShaderNodeTexNoise')
    noise.inputs['Scale'].default_value = scale
    noise.inputs['Detail'].default_value = 1
    bump = nodes.new('ShaderNodeBump')
    bump.inputs['Distance'].default_value = distance
    links.new(coordinates.outputs['Object'], noise.inputs['Vector'])
    links.new(noise.outputs['Fac'], bump.inputs['Height'])
    links.new(bump.outputs[0], shader(material).inputs['Normal'])
    return material


def picture(name, filename, rough=.4, spec=.5, coat=0.0, coat_rough=.03, emit_strength=0.0):
    """Returns a material that shows a picture from textures/: a lit screen with `emit_strength`, else print."""
    material = plain(name, (0, 0, 0), rough, spec=spec, coat=coat, coat_rough=coat_rough)
    nodes, links = material.node_tree.nodes, material.node_tree.links
    image = nodes.new('ShaderNodeTexImage')
    image.image = bpy.data.images.load(os.path.join(TEXTURES, filename))
    image.interpolation = 'Cubic'
    inputs = shader(material).inputs
    if emit_strength:
        links.new(image.outputs[0], inputs['Emission'])
        inputs['Emission Strength'].default_value = emit_strength
    else:
        links.new(image.outputs[0], inputs['Base Color'])
    return material


def weave(columns, rows, pixels=9):
    """Returns the height and the brightness (0..1) of a cloth with this many threads each way.

    Each thread has three plies, spun from light and dark fibers, so its brightness changes along its
    length, and the threads are not quite straight. So the cloth has no regular pattern that would
    show moiré. The threads meet where the cloth is closed to a tube; both numbers are even.
    """
    random = np.random.default_rng(3)
    y, x = np.mgrid[0:rows * pixels, 0:columns * pixels].astype(np.float32) / pixels
    waves = [(random.integers(3, 40), random.uniform(.05, .6), *random.uniform(0, 6.3, 2))
             for _ in range(7)]
    x, y = (x + sum(.06 * np.sin(2 * np.pi * n * x / columns + k * y + a) for n, k, a, _ in waves),
            y + sum(.06 * np.sin(2 * np.pi * n * x / columns - k * y + b) for n, k, _, b in waves))
    column, row = np.floor(x).astype(int), np.floor(y).astype(int)
    across, along = x - column - .5, y - row - .5
    over = np.where((row + column) % 2 == 0, 1, -1).astype(np.float32)
    warp = (np.sqrt(np.clip(1 - (across / .52) ** 2, 0, 1))
            * (.62 + .38 * np.cos(np.pi * along) * over))
    weft = (np.sqrt(np.clip(1 - (along / .52) ** 2, 0, 1))
            * (.62 - .38 * np.cos(np.pi * across) * over))
    above = warp > weft
    spun = np.where(above, y, x)                        # position along the visible thread
    ply = np.where(above, across, along) * 3 + spun * .6
    thread = np.where(above, column % columns, columns + row % rows)
    fibers = random.standard_normal((columns + rows, 3, 256)).astype(np.float32)
    place = spun * .45 + np.float32(.37) * thread
    first = np.floor(place).astype(int)
    which = np.floor(ply).astype(int) % 3
    share = smooth_step(place - first)
    color = (fibers[thread, which, first % 256] * (1 - share)
             + fibers[thread, which, (first + 1) % 256] * share)
    round_ply = np.cos(2 * np.pi * (ply - .5))
    return (np.clip(np.maximum(warp, weft) * (.93 + .07 * round_ply), 0, 1),
            np.clip(.42 + .115 * color + .02 * round_ply, .1, .8))


def smooth_step(t):
    """Returns 0 at t = 0 and 1 at t = 1, without an edge."""
    return t * t * (3 - 2 * t)


def cloth(name, dark, light, columns, rows):
    """Returns a fine melange cloth for UV coordinates of 0..1 in both directions."""
    height, brightness = weave(columns, rows)
    pixels = np.ones((*height.shape, 4), np.float32)
    pixels[..., 0], pixels[..., 1], pixels[..., 2] = height, brightness, 0
    image = bpy.data.images.new(name, height.shape[1], height.shape[0], float_buffer=True,
                                is_data=True)
    image.pixels.foreach_set(pixels.ravel())

    material = plain(name, dark, rough=.9, sheen=.5, spec=.15)
    nodes, links = material.node_tree.nodes, material.node_tree.links
    coordinates = nodes.new('ShaderNodeTexCoord')
    texture = nodes.new('ShaderNodeTexImage')
    texture.image = image
    texture.interpolation = 'Cubic'
    split = nodes.new('ShaderNodeSeparateColor')
    ramp = nodes.new('ShaderNodeValToRGB')
    ramp.color_ramp.elements[0].color = rgba(dark)
    ramp.color_ramp.elements[1].color = rgba(light)
    shade = nodes.new('ShaderNodeMapRange')             # the gaps between the threads are darker
    shade.inputs['To Min'].default_value = .6
    darken = nodes.new('ShaderNodeMixRGB')
    darken.blend_type = 'MULTIPLY'
    darken.inputs['Fac'].default_value = 1
    bump = nodes.new('ShaderNodeBump')
    bump.inputs['Strength'].default_value = .4
    bump.inputs['Distance'].default_value = .006
    links.new(coordinates.outputs['UV'], texture.inputs[0])
    links.new(texture.outputs[0], split.inputs[0])
    links.new(split.outputs['Green'], ramp.inputs[0])
    links.new(split.outputs['Red'], shade.inputs['Value'])
    links.new(ramp.outputs[0], darken.inputs['Color1'])
    links.new(shade.outputs[0], darken.inputs['Color2'])
    links.new(split.outputs['Red'], bump.inputs['Height'])
    links.new(darken.outputs[0], shader(material).inputs['Base Color'])
    links.new(bump.outputs[0], shader(material).inputs['Normal'])
    return material


def paper_edges(name, dark, light, sheets_per_unit):
    """Returns the cut edge of a page block: sheets across y, its thickness, some a little darker
    than others, with fine lines between them that come and go along the edge.
    """
    material = plain(name, light, rough=.95, spec=.1)
    nodes, links = material.node_tree.nodes, material.node_tree.links
    coordinates = nodes.new('ShaderNodeTexCoord')
    color = None
    for scale, share in ((sheets_per_unit, .5), (sheets_per_unit / 6, .35)):
        stretch = nodes.new('ShaderNodeMapping')
        stretch.inputs['Scale'].default_value = (1.5, scale, 1.5)
        noise = nodes.new('ShaderNodeTexNoise')
        noise.inputs['Scale'].default_value = 1.0
        noise.inputs['Detail'].default_value = 0
        ramp = nodes.new('ShaderNodeMapRange')
        ramp.inputs['From Min'].default_value = .55
        ramp.inputs['From Max'].default_value = .30
        ramp.inputs['To Max'].default_value = share
        mix = nodes.new('ShaderNodeMixRGB')
        mix.inputs['Color1'].default_value = rgba(light)
        mix.inputs['Color2'].default_value = rgba(dark)
        links.new(coordinates.outputs['Object'], stretch.inputs[0])
        links.new(stretch.outputs[0], noise.inputs['Vector'])
        links.new(noise.outputs['Fac'], ramp.inputs['Value'])
        links.new(ramp.outputs[0], mix.inputs['Fac'])
        if color:
            links.new(color, mix.inputs['Color1'])
        color = mix.outputs[0]
    links.new(color, shader(material).inputs['Base Color'])
    return material
