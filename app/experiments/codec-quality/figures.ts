import type { Reasoned, ReasonedFigures } from '../../facts/reasoned';
import type { ComparedPicture } from '../../protocol/records';
import { exact, planes } from './metrics';

const masked = 'strips, line and their margin leave nothing of the picture to compare';

/** dB of 8-bit samples; `exact` where nothing differs, which has no ratio. The native core has the same in `psnrDb`. */
export function psnrDb(meanSquaredError: number): number | typeof exact {
  return meanSquaredError === 0 ? exact : 10 * Math.log10((255 * 255) / meanSquaredError);
}

/** The frame whose luma differs most, the first of several; undefined of nothing. */
export function worstOf(compared: readonly ComparedPicture[]): ComparedPicture | undefined {
  const error = ({ meanSquaredErrors }: ComparedPicture): number => meanSquaredErrors[0] ?? -1;
  return compared.reduce<ComparedPicture | undefined>(
    (worst, picture) => (worst && error(worst) >= error(picture) ? worst : picture),
    undefined,
  );
}

/** CSV of each frame's own figures; empty if the mask leaves nothing. */
export function frameTable(compared: readonly ComparedPicture[]): string {
  const heads = [
    'frame',
    ...planes.map((plane) => `psnr${plane}Db`),
    ...planes.map((plane) => `ssim${plane}`),
  ];
  const lines = compared.map(({ frame, meanSquaredErrors, structuralSimilarities }) => [
    frame,
    ...meanSquaredErrors.map((error) => (error === null ? '' : psnrDb(error))),
    ...structuralSimilarities.map((similarity) => similarity ?? ''),
  ]);
  return [heads, ...lines].map((line) => `${line.join(',')}\n`).join('');
}

/** What was delivered against what was sent. `reason`: why there is nothing, where there is nothing. */
export function deliveredFigures(
  compared: readonly ComparedPicture[],
  chosen: number,
  reason: string,
): ReasonedFigures {
  const ofPlanes = planeFigures(compared, reason, {
    psnr: (plane) => `quality.psnr${plane}Db`,
    ssim: (plane) => `quality.ssim${plane}`,
    worstPsnr: (plane) => `quality.worstPsnr${plane}Db`,
    worstSsim: (plane) => `quality.worstSsim${plane}`,
  });
  return {
    ...ofPlanes,
    'quality.pairs': [compared.length],
    'quality.pairsLeftOut': [chosen - compared.length],
    'quality.worstFrame': [worstOf(compared)?.frame, reason],
  };
}

/** What Hap Q had lost before. */
export function hapFigures(
  compared: readonly ComparedPicture[],
  bitrateMbps: number | null,
  reason: string,
): ReasonedFigures {
  const ofPlanes = planeFigures(compared, reason, {
    psnr: (plane) => `quality.hapPsnr${plane}Db`,
    ssim: (plane) => `quality.hapSsim${plane}`,
  });
  return { ...ofPlanes, 'quality.hapBitrateMbps': [bitrateMbps, reason] };
}

export function bitsPerPixel(
  bitrateMbps: number | null,
  format: { width: number; height: number; framesPerSecond: number },
  reason: string,
): ReasonedFigures {
  const { width, height, framesPerSecond } = format;
  const bits = bitrateMbps === null ? null : (bitrateMbps * 1e6) / (width * height * framesPerSecond);
  return { 'quality.bitsPerPixel': [bits, reason] };
}

type PlaneId = (plane: (typeof planes)[number]) => string;

interface PlaneIds {
  psnr: PlaneId;
  ssim: PlaneId;
  worstPsnr?: PlaneId;
  worstSsim?: PlaneId;
}

function planeFigures(compared: readonly ComparedPicture[], reason: string, ids: PlaneIds): ReasonedFigures {
  const figures: Record<string, Reasoned> = {};
  const why = compared.length > 0 ? masked : reason;
  for (const [index, plane] of planes.entries()) {
    const errors = numbers(compared.map((picture) => picture.meanSquaredErrors[index]));
    const similarities = numbers(compared.map((picture) => picture.structuralSimilarities[index]));
    const note = (
      id: string | undefined,
      from: number[],
      figure: (all: number[]) => number | string,
    ): void => {
      if (id !== undefined) figures[id] = [from.length > 0 ? figure(from) : null, why];
    };
    note(ids.psnr(plane), errors, (all) => psnrDb(mean(all)));
    note(ids.worstPsnr?.(plane), errors, (all) => psnrDb(Math.max(...all)));
    note(ids.ssim(plane), similarities, mean);
    note(ids.worstSsim?.(plane), similarities, (all) => Math.min(...all));
  }
  return figures;
}

function numbers(values: readonly (number | null | undefined)[]): number[] {
  return values.filter((value): value is number => typeof value === 'number');
}

function mean(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0) / values.length;
}
