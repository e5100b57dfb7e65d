"""The power plug of the mixer and the speaker, with the two flat blades of the United States."""
import materials
import shapes


def plug(matrix, black):
    """Builds the plug along z, with its cord at the origin, and transforms it by `matrix`."""
    steel = materials.plain('blade', (.80, .80, .81), rough=.2, metal=1)
    parts = [shapes.lathe('plug', [(0, 0), (.035, 0), (.04, .06), (.095, .10), (.11, .13),
                                   (.11, .28), (.10, .30), (0, .30)], black, segments=48)]
    for y in (-.0635, .0635):
        blade = shapes.slab('blade', shapes.rounded_rect(.0635, .015, .006, 3), .29, .47, steel,
                            bevel=0)
        blade.data.transform(shapes.move(0, y, 0))
        parts.append(blade)
    for part in parts:
        part.matrix_world = matrix
