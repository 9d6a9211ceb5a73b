import { setUp } from '../setup/index.mjs';
import { note } from '../setup/report.mjs';
import { withConsole } from './console/console-program.mjs';
import { figure, median } from './figures.mjs';

export const area = 'fleet';

const lookSeconds = 12;
const maxScriptMs = 4;
const unit = 'ms';
const peer = 'bare page: the lines in sight as text, without React';

/** One picture of 60 in a second writes what that second's look found: it is among the 1 % that take longest. */
const pictures = [
  { id: 'fleet.screen-script-p99', unit, of: ({ scriptMs }) => scriptMs.p99, atMost: maxScriptMs },
  { id: 'fleet.screen-script-max', unit, of: ({ scriptMs }) => scriptMs.max },
  { id: 'fleet.screen-script-cpu-p99', unit, of: ({ scriptCpuMs }) => scriptCpuMs.p99, atMost: maxScriptMs },
  { id: 'fleet.screen-script-mean', unit, of: ({ scriptMs }) => scriptMs.mean },
  { id: 'fleet.screen-busy', unit: '%', of: ({ busyPercent }) => busyPercent },
];

/** The screen Fleet with 1,000 machines, beside a bare page that is sent the same; both in turns. */
export async function run({ pairs = 3 }) {
  const { electron } = await setUp(['bench', 'console']);
  const order = { measure: 'fleet', seconds: lookSeconds };
  return withConsole(
    electron.executable,
    async (measure) => {
      const [ours, bare] = [[], []];
      for (let pair = 0; pair < pairs; pair++) {
        ours.push(await measure(order));
        bare.push(await measure({ ...order, isBare: true }));
        const script = [ours, bare].map((of) => {
          const { scriptMs, scriptCpuMs } = of[pair];
          return `${scriptMs.p99.toFixed(2)} ms, of the processor ${scriptCpuMs.p99.toFixed(2)} ms`;
        });
        note('bench', `fleet, script of a picture: ${script[0]}; bare page: ${script[1]}`);
      }
      return pictures.map(({ of, ...named }) => {
        const [value, peerValue] = [median(ours.map(of)), median(bare.map(of))];
        return figure({ ...named, value, peer, peerValue, ratio: peerValue > 0 ? value / peerValue : null });
      });
    },
    'bare-fleet',
  );
}
