import { count, type Metric } from '../../facts/metrics/metric';

/** In the order in which the native core gives them. */
export const planes = ['Y', 'Cb', 'Cr'] as const;
export type PlaneName = (typeof planes)[number];

/** Shown in place of a ratio that is infinite: nothing differs. */
export const exact = 'exact';

const planeTexts: Record<PlaneName, string> = {
  Y: 'luma',
  Cb: 'the blue difference',
  Cr: 'the red difference',
};

/** The worst of many frames is worse than that of few. */
const worst = { extremeOver: 'quality.pairs' } as const;

const kept =
  'pictures kept at both ends of the stream, found by the frame code; strips, line and 16 pixels around them left out';
const made = 'the decoded frames of the clip, compared with the pictures that its generator paints';

function psnr(id: string, heading: string, of: string, description: string, source: string): Metric {
  return {
    ...{ id, heading, unit: 'dB', digits: 2, direction: 'higher', source },
    formula: `10 · log10(255² / ${of})`,
    description: `${description}; “${exact}” where no sample differs.`,
  };
}

function ssim(id: string, heading: string, of: string, description: string, source: string): Metric {
  return {
    ...{ id, heading, unit: '', digits: 4, direction: 'higher', source },
    formula: `${of} of the mean over windows of 8×8 samples, every 4 samples, as ffmpeg’s ssim filter has it`,
    description: `${description}; 1: alike.`,
  };
}

function ofPlane(plane: PlaneName): Metric[] {
  const what = planeTexts[plane];
  return [
    psnr(
      `quality.psnr${plane}Db`,
      `PSNR ${plane}`,
      'mean squared difference over all compared frames',
      `Peak signal-to-noise ratio of ${what}, as received against as sent`,
      kept,
    ),
    {
      ...psnr(
        `quality.worstPsnr${plane}Db`,
        `Worst PSNR ${plane}`,
        'mean squared difference of the frame where it is largest',
        `Peak signal-to-noise ratio of ${what} in the worst frame`,
        kept,
      ),
      ...worst,
    },
    ssim(
      `quality.ssim${plane}`,
      `SSIM ${plane}`,
      'mean over all compared frames',
      `Structural similarity of ${what}`,
      kept,
    ),
    {
      ...ssim(
        `quality.worstSsim${plane}`,
        `Worst SSIM ${plane}`,
        'minimum over all compared frames',
        `Structural similarity of ${what} in the worst frame`,
        kept,
      ),
      ...worst,
    },
    psnr(
      `quality.hapPsnr${plane}Db`,
      `Hap Q PSNR ${plane}`,
      'mean squared difference over the compared frames of the clip',
      `How close Hap Q itself kept ${what} to the original before it was sent`,
      made,
    ),
    ssim(
      `quality.hapSsim${plane}`,
      `Hap Q SSIM ${plane}`,
      'mean over the compared frames of the clip',
      `Structural similarity of ${what} of the clip to what it was made from`,
      made,
    ),
  ];
}

export const codecQualityMetrics: readonly Metric[] = [
  ...planes.flatMap(ofPlane),
  count('quality.pairs', 'Compared', 'none', 'frames kept at both ends', 'Frames that were compared.', kept),
  count(
    'quality.pairsLeftOut',
    'Left out',
    'lower',
    'frames chosen − frames compared',
    'Chosen frames that could not be compared: they were lost or spoilt, or disk or copying did not keep up. The row’s reasons say which.',
    kept,
  ),
  count(
    'quality.worstFrame',
    'Worst frame',
    'none',
    'number of the frame with the largest mean squared difference of luma',
    'As in the frame code; its pictures are in the run’s folder.',
    kept,
  ),
  {
    ...{ id: 'quality.bitsPerPixel', heading: 'Bits per pixel', unit: 'bit', digits: 3, direction: 'none' },
    formula: 'bitrate / (width · height · frame rate)',
    description: 'How hard the picture was compressed; UYVY has 16.',
    source: 'bitrate of the row and format of the source',
  },
  {
    ...{ id: 'quality.hapBitrateMbps', heading: 'Hap Q bitrate', unit: 'Mb/s', digits: 1, direction: 'none' },
    formula: '8 · bytes of all frames / duration / 10⁶',
    description: 'Rate at which the disk must deliver the movie.',
    source: 'index of the movie',
  },
];
