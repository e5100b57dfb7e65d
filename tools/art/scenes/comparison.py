"""The two monitors together, for their sizes."""
from functools import partial

import shots
import studio
from monitor import monitor
from ultrawide import ultrawide


def both_monitors():
    """Builds the 27-inch monitor in front of the left end of the 49-inch monitor."""
    root, _ = studio.group('ultrawide', ultrawide)
    studio.place(root, 0, 0)
    root, _ = studio.group('monitor', monitor)
    studio.place(root, -5.0, -3.6)


PICTURES = {
    'ultrawide-4': partial(shots.product, both_monitors, az=2, el=26, margin=.04, samples=14),
}
