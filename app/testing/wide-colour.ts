/** Light of BT.2020 primaries as light of BT.709 primaries (ITU-R BT.2407). */
const matrix = [
  [1.6605, -0.5876, -0.0728],
  [-0.1246, 1.1329, -0.0083],
  [-0.0182, -0.1006, 1.1187],
] as const;
/** Of a screen (ITU-R BT.1886). */
const gamma = 2.4;

/** Red, green and blue of BT.2020 from 0 to 255, as a screen of BT.709 shows them; beyond 0 to 255 what it cannot show. */
export function bt709Of(bt2020: readonly number[]): [red: number, green: number, blue: number] {
  const light = bt2020.map((value) => (value / 255) ** gamma);
  const [red, green, blue] = matrix.map((row) => {
    const sum = row.reduce((total, share, index) => total + share * (light[index] ?? 0), 0);
    return 255 * Math.sign(sum) * Math.abs(sum) ** (1 / gamma);
  });
  return [red ?? 0, green ?? 0, blue ?? 0];
}

/** What is too much or too little becomes the nearest that can be shown. */
export function clipped(rgb: readonly number[]): [red: number, green: number, blue: number] {
  const [red = 0, green = 0, blue = 0] = rgb.map((value) => Math.min(255, Math.max(0, value)));
  return [red, green, blue];
}
