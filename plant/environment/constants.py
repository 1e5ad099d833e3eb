"""Constants of the Earth, the Sun and light, SI units."""

MU = 3.986004418e14  # m^3/s^2, gravitational parameter of the Earth (IERS 2010)
EARTH_RADIUS = 6378137.0  # m, equatorial radius of WGS84
FLATTENING = 1.0 / 298.257223563  # flattening of the WGS84 ellipsoid
J2 = 1.08262668e-3  # second zonal harmonic (EGM96, unnormalised)
EARTH_RATE = 7.292115146706979e-5  # rad/s, rotation rate of the Earth (Vallado 2013)
GEOMAGNETIC_RADIUS = 6371200.0  # m, reference radius of the IGRF
SUN_RADIUS = 695700e3  # m, nominal (IAU 2015 B3)
ASTRONOMICAL_UNIT = 149597870700.0  # m (IAU 2012 B2)
SPEED_OF_LIGHT = 299792458.0  # m/s
SOLAR_FLUX = 1361.0  # W/m^2 at 1 au, nominal (IAU 2015 B3)
MU0 = 1.25663706127e-6  # N/A^2, magnetic constant (CODATA 2022)
GAS_CONSTANT = 8.314462618  # J/(mol K)
