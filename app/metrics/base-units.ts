/** Figures in the units that Prometheus asks for. What was not measured stays null. */

type Figure = number | null | undefined;

const bytesPerMb = 1e6;
const bitsPerByte = 8;

export function ratio(percent: Figure): number | null {
  return scaled(percent, 1, 100);
}

export function partsPerMillion(ppm: Figure): number | null {
  return scaled(ppm, 1, 1e6);
}

export function seconds(ms: Figure): number | null {
  return scaled(ms, 1, 1000);
}

/** Of 10⁶ bytes. */
export function bytes(mb: Figure): number | null {
  return scaled(mb, bytesPerMb, 1);
}

export function bytesPerSecond(mbps: Figure): number | null {
  return scaled(mbps, bytesPerMb, bitsPerByte);
}

/** Divided last: the nearest number to 0.35 ms in seconds is 0.00035, and a product with 0.001 is one beside it. */
function scaled(value: Figure, factor: number, divisor: number): number | null {
  return value === null || value === undefined ? null : (value * factor) / divisor;
}
