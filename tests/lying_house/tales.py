"""Every lie."""

from __future__ import annotations

from tests.lying_house.answered import ANSWERED
from tests.lying_house.chained import CHAINED
from tests.lying_house.coming import COMING
from tests.lying_house.meeting import Planted

HONEST = Planted("honest", (), "tells the truth")
TALES = (*COMING, *CHAINED, *ANSWERED)
