import { unlikeAsked } from '../../engine/experiment/unlike-asked';
import { alike, atMost, rising } from '../../facts/contradiction';
import type { Fact } from '../../facts/fact';
import { blockBytesOf } from './fio';
import type { FioReport } from './fio-report';
import type { MeasuredTest } from './storage-rows';

const rounding = { share: 0.02, amount: 0.1 };
/** A link that carries files carries heads too, but bursts out of a queue at the end. */
const burst = { share: 0.05 };
const shortened = { share: 0.1 };

/** What the figures of a row say that cannot be true, each kind once whichever passes show it. */
export function storageContradictions(
  { passes, ...measured }: Pick<MeasuredTest, 'passes' | 'test' | 'folder' | 'direct' | 'args'>,
  passSeconds: number,
): Fact[] {
  const found = passes.flatMap((pass) => ofPass(pass, measured, passSeconds));
  return found.filter(({ data }, index) => found.findIndex((one) => one.data.what === data.what) === index);
}

function ofPass(
  pass: FioReport,
  { test, folder, direct, args }: Pick<MeasuredTest, 'test' | 'folder' | 'direct' | 'args'>,
  passSeconds: number,
): Fact[] {
  const { megabytes, megabytesPerSecond: rate, seconds, requestsPerSecond } = pass;
  const byRate = seconds === null ? null : rate * seconds;
  const byRequests = requestsPerSecond === null ? null : (requestsPerSecond * blockBytesOf(test)) / 1e6;
  return [
    ...notAsAsked(pass, args),
    ...alike('data', [megabytes, 'MB moved'], [byRate, 'MB by rate and time'], rounding),
    ...alike('requests', [byRequests, 'MB/s by requests and their size'], [rate, 'MB/s reported'], rounding),
    ...atMost('time', [passSeconds, 's asked for'], [seconds, 's measured'], shortened),
    ...rising('latency', [
      [pass.latencyP50Ms, 'ms p50'],
      [pass.latencyP99Ms, 'ms p99'],
      [pass.latencyP999Ms, 'ms p99.9'],
    ]),
    // What went through memory says so, and may be faster than the link.
    ...(direct
      ? atMost(
          'line rate',
          [8 * rate, 'Mb/s moved'],
          [folder.lineRateMbps, `Mb/s line rate (${folder.lineRateSource})`],
          burst,
        )
      : []),
  ];
}

/** Of what fio was asked for by "--name=value" and repeats, what is not the same. */
function notAsAsked({ options }: FioReport, args: readonly string[]): Fact[] {
  return args.flatMap((argument) => {
    const [, name = '', asked = ''] = /^--([a-z_]+)=(.*)$/.exec(argument) ?? [];
    return unlikeAsked('fio', name, options[name] ?? null, asked);
  });
}
