import type { ProbedPicture } from './movie-probe';

export interface Colour {
  /** By which the file was made; null: it is RGB. */
  matrix: 'bt601' | 'bt709' | 'bt2020' | null;
  isFullRange: boolean;
  /** BT.2020 primaries. */
  isWide: boolean;
  /** Brightness beyond what a picture of 8 bits shows. */
  hdr: 'PQ' | 'HLG' | null;
}

const rgbFormats = /^(x?rgb|x?bgr|gbr|0rgb|0bgr|argb|abgr|pal8|mono)/;
/** A picture without a colour tag counts as HD from this many lines on. */
const hdLines = 720;

export function colourOf(film: ProbedPicture): Colour {
  const { pix_fmt: pixels, color_space: space, color_range: range } = film;
  const { color_primaries: primaries, color_transfer: transfer } = film;
  const matrix = matrixOf(pixels, space, film.height);
  const hdr = transfer === 'smpte2084' ? 'PQ' : transfer === 'arib-std-b67' ? 'HLG' : null;
  return {
    matrix,
    isFullRange: range === 'pc' || pixels.startsWith('yuvj'),
    // A file that leaves the primaries out has those of its matrix, or of HDR.
    isWide: primaries === 'bt2020' || (primaries === 'unknown' && (matrix === 'bt2020' || hdr !== null)),
    hdr,
  };
}

/** What receivers show otherwise than it is meant, unless ffmpeg converts it. */
export function isBeyondSdr({ isWide, hdr }: Colour): boolean {
  return isWide || hdr !== null;
}

function matrixOf(pixels: string, space: string, lines: number): Colour['matrix'] {
  if (rgbFormats.test(pixels)) return null;
  if (space === 'bt709') return 'bt709';
  if (space.startsWith('bt2020')) return 'bt2020';
  if (space === 'smpte170m' || space === 'bt470bg' || space === 'fcc') return 'bt601';
  return lines >= hdLines ? 'bt709' : 'bt601';
}
