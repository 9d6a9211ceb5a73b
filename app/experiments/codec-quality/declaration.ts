import { z } from 'zod';
import { columnsOf } from '../../facts/column';
import { parseRate, parseSize } from '../../protocol/format';
import { parsedBy } from '../../protocol/parsed-by';
import { parseSource } from '../../protocol/source-spec';
import { chartOf, chartsOfEach, type ExperimentDeclaration, nothingSaid } from '../declaration';
import { planes } from './metrics';

const sizeOf = (field: string) => z.string().superRefine(parsedBy((text) => parseSize(text, field)));

/** Parameters of the `codec-quality` experiment. */
export const codecQualityParameters = z.strictObject({
  clips: z
    .array(z.string().min(1).max(60))
    .max(50)
    .default([])
    .describe(
      'Clips of the content battery by name, such as flares or noise; missing clips are made first; default: all of them, ' +
        'or none if sources are given',
    )
    .meta({ title: 'Clips of the battery' }),
  sizes: z
    .array(sizeOf('sizes'))
    .max(8)
    .default(['1920x1080'])
    .describe(
      'Sizes of the clips and of generated sources, for example 1920x1080; a movie keeps its own size',
    )
    .meta({ title: 'Picture sizes' }),
  rate: z
    .string()
    .superRefine(parsedBy((text) => parseRate(text)))
    .default('60')
    .describe('Frames per second of the clips and of generated sources; a movie keeps its own rate')
    .meta({ title: 'Frames per second' }),
  clipLengthSeconds: z
    .number()
    .min(0.1)
    .max(600)
    .default(10)
    .describe('Length of the clips, s')
    .meta({ title: 'Clip length' }),
  contentFolder: z
    .string()
    .min(1)
    .max(4000)
    .optional()
    .describe('Folder of the clips; default: Whiteline/content in the home folder')
    .meta({ title: 'Folder of the clips' }),
  sources: z
    .array(z.string().superRefine(parsedBy((text) => parseSource(text, 'sources'))))
    .max(50)
    .default([])
    .describe('Further sources to send: white-line, noise, or paths of movies')
    .meta({ title: 'Other sources' }),
  crops: z
    .array(sizeOf('crops'))
    .max(8)
    .default(['330x198'])
    .describe(
      'Sizes to cut out of the middle of each clip and movie; each has a row after the full picture; default: 330x198, as in the study',
    )
    .meta({ title: 'Sizes to cut out' }),
  frames: z
    .int()
    .min(1)
    .max(500)
    .default(20)
    .describe('How many frames of each row are compared, spread evenly over the row')
    .meta({ title: 'Frames compared per row' }),
  leastPsnrDb: z
    .number()
    .min(1)
    .max(100)
    .optional()
    .describe('Luma PSNR that even the worst frame must reach for the run to pass, dB; default: no limit')
    .meta({ title: 'Lowest PSNR that passes' }),
  holdSeconds: z
    .number()
    .min(1)
    .max(600)
    .default(10)
    .describe('Measured time of each row, s')
    .meta({ title: 'Measured time per row' }),
  warmUpSeconds: z
    .number()
    .min(0.2)
    .max(600)
    .default(2)
    .describe('Time between a stream’s first frame and the start of its row, in which the codec settles, s')
    .meta({ title: 'Warm-up per row' }),
  name: z
    .string()
    .min(1)
    .max(60)
    .default('Whiteline quality')
    .describe('NDI name of the streams; a number follows it')
    .meta({ title: 'NDI name' }),
});

export type CodecQualityParameters = z.infer<typeof codecQualityParameters>;

/** Comparing the pictures of a row. */
const compareSeconds = 4;

export const codecQualityDeclaration: ExperimentDeclaration<typeof codecQualityParameters> = {
  id: 'codec-quality',
  order: 30,
  title: 'Codec quality',
  purpose:
    'What does the codec do to this content at this size? Each clip is sent alone, as one stream, at each size. Frames from all over the row are saved at both ends and compared plane by plane. Each row also shows bitrate, latency and dropped frames and, for clips of the content battery, what Hap Q had already lost.',
  study: 'NDI performance testing, Derivative / Cocolabs, October 2019',
  parameters: codecQualityParameters,
  basic: ['clips', 'sources', 'sizes', 'rate', 'holdSeconds'],
  renamedParameters: { clipSeconds: 'clipLengthSeconds' },
  columns: [
    ...columnsOf('measure', 'quality.psnrYDb', 'quality.worstPsnrYDb', 'quality.ssimY', 'quality.worstSsimY'),
    ...columnsOf('measure', 'quality.psnrCbDb', 'quality.psnrCrDb', 'bitrateMbps', 'quality.bitsPerPixel'),
    ...columnsOf('measure', 'quality.hapPsnrYDb', 'quality.hapSsimY', 'quality.hapBitrateMbps'),
    ...columnsOf('count', 'quality.pairs', 'framesSubmitted', 'framesDropped', 'framesSenderMissed'),
    ...columnsOf('measure', 'latencyMs.p50', 'latencyMs.p99', 'quality.worstFrame'),
    ...columnsOf(
      'measure',
      'quality.worstPsnrCbDb',
      'quality.worstPsnrCrDb',
      'quality.ssimCb',
      'quality.ssimCr',
    ),
    ...columnsOf('measure', 'quality.worstSsimCb', 'quality.worstSsimCr'),
    ...columnsOf(
      'measure',
      'quality.hapPsnrCbDb',
      'quality.hapPsnrCrDb',
      'quality.hapSsimCb',
      'quality.hapSsimCr',
    ),
    ...columnsOf('count', 'quality.pairsLeftOut'),
  ],
  terminal: [
    ...['quality.psnrYDb', 'quality.worstPsnrYDb', 'quality.ssimY', 'quality.worstSsimY', 'bitrateMbps'],
    ...['quality.bitsPerPixel', 'quality.pairs', 'framesDropped', 'framesSenderMissed', 'latencyMs.p99'],
  ],
  charts: [
    chartOf('PSNR', planesOf('psnr', 'Db')),
    chartOf('PSNR of the worst frame', planesOf('worstPsnr', 'Db')),
    chartOf('SSIM', planesOf('ssim')),
    chartOf('SSIM of the worst frame', planesOf('worstSsim')),
    chartOf('PSNR of Hap Q', planesOf('hapPsnr', 'Db')),
    chartOf('SSIM of Hap Q', planesOf('hapSsim')),
    ...chartsOfEach('bitrateMbps', 'quality.bitsPerPixel', 'quality.hapBitrateMbps'),
    chartOf('Latency', { p50: 'latencyMs.p50', p99: 'latencyMs.p99' }),
  ],
  verdictWords: {
    PASS: 'Every case was measured without a lost frame, and no frame is worse than the limit.',
    WARN: 'Every case was measured and no frame is worse than the limit, but a row has a reservation.',
    FAIL: 'A case was not measured, frames were lost, or a frame is worse than the limit.',
    INVALID: nothingSaid('the codec'),
  },
  whyUnknownSeconds: 'clips of the content battery may have to be made first',
  expectedSeconds({ clips, sources, sizes, crops, holdSeconds, warmUpSeconds }) {
    // Without clips and sources it is the whole content battery, which may have to be made first.
    const pictures = clips.length * sizes.length + sources.length;
    if (pictures === 0) return null;
    return pictures * (1 + crops.length) * (warmUpSeconds + holdSeconds + compareSeconds);
  },
};

/** One figure of luma and of both colour differences. */
function planesOf(figure: string, unit = ''): Record<string, string> {
  return Object.fromEntries(planes.map((plane) => [plane, `quality.${figure}${plane}${unit}`]));
}
