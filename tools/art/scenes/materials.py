"""Materials. Colors are linear (r, g, b) or '#rrggbb' in sRGB."""
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


def weave_tile(size=128):
    """Returns a seamless height map (0..1) of 2 x 2 crossing threads."""
    y, x = np.mgrid[0:size, 0:size] / size * 2
    cell_x, cell_y = np.floor(x), np.floor(y)
    across, along = x - cell_x - .5, y - cell_y - .5
    over = np.where((cell_x + cell_y) % 2 == 0, 1, -1)
    warp = (np.sqrt(np.clip(1 - (across / .47) ** 2, 0, 1))
            * (.55 + .45 * np.cos(np.pi * along) * over))
    weft = (np.sqrt(np.clip(1 - (along / .47) ** 2, 0, 1))
            * (.55 - .45 * np.cos(np.pi * across) * over))
    return np.clip(np.maximum(warp, weft), 0, 1)


def cloth(name, dark, light, repeat_u, repeat_v):
    """Returns woven speaker cloth. The tile blends two colors and is the bump map."""
    tile = weave_tile()
    size = tile.shape[0]
    pixels = np.ones((size, size, 4), np.float32)
    pixels[..., :3] = tile[..., None]
    image = bpy.data.images.new(name, size, size, float_buffer=True, is_data=True)
    image.pixels.foreach_set(pixels.ravel())

    material = plain(name, dark, rough=.85, sheen=.4, spec=.25)
    nodes, links = material.node_tree.nodes, material.node_tree.links
    coordinates = nodes.new('ShaderNodeTexCoord')
    repeat = nodes.new('ShaderNodeMapping')
    repeat.inputs['Scale'].default_value = (repeat_u, repeat_v, 1)
    texture = nodes.new('ShaderNodeTexImage')
    texture.image = image
    texture.interpolation = 'Cubic'
    ramp = nodes.new('ShaderNodeValToRGB')
    ramp.color_ramp.elements[0].position = .25
    ramp.color_ramp.elements[0].color = rgba(dark)
    ramp.color_ramp.elements[1].position = .95
    ramp.color_ramp.elements[1].color = rgba(light)
    bump = nodes.new('ShaderNodeBump')
    bump.inputs['Strength'].default_value = .9
    bump.inputs['Distance'].default_value = .02
    links.new(coordinates.outputs['UV'], repeat.inputs[0])
    links.new(repeat.outputs[0], texture.inputs[0])
    links.new(texture.outputs[0], ramp.inputs[0])
    links.new(texture.outputs[0], bump.inputs['Height'])
    links.new(ramp.outputs[0], shader(material).inputs['Base Color'])
    links.new(bump.outputs[0], shader(material).inputs['Normal'])
    return material


def paper_edges(name, dark, light, sheets_per_unit):
    """Returns the cut edge of a page block: fine lines across y, its thickness."""
    material = plain(name, light, rough=.95, spec=.1)
    nodes, links = material.node_tree.nodes, material.node_tree.links
    coordinates = nodes.new('ShaderNodeTexCoord')
    stretch = nodes.new('ShaderNodeMapping')
    stretch.inputs['Scale'].default_value = (.12, sheets_per_unit, .12)
    noise = nodes.new('ShaderNodeTexNoise')
    noise.inputs['Scale'].default_value = 1.0
    noise.inputs['Detail'].default_value = 3
    ramp = nodes.new('ShaderNodeValToRGB')
    ramp.color_ramp.elements[0].position = .36
    ramp.color_ramp.elements[0].color = rgba(dark)
    ramp.color_ramp.elements[1].position = .60
    ramp.color_ramp.elements[1].color = rgba(light)
    links.new(coordinates.outputs['Object'], stretch.inputs[0])
    links.new(stretch.outputs[0], noise.inputs['Vector'])
    links.new(noise.outputs['Fac'], ramp.inputs[0])
    links.new(ramp.outputs[0], shader(material).inputs['Base Color'])
    return material
