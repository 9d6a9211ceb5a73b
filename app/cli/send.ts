import { sleep } from '../engine/clock';
import { environmentMessages } from '../engine/machine/packed-environment';
import { readMachine } from '../engine/machine/read-machine';
import { appVersion } from '../engine/sessions/environment';
import { senderName } from '../engine/streams/stream-set';
import { Workbench } from '../engine/workbench';
import { badInput, exitCodes, WhitelineError } from '../protocol/errors';
import { formatText } from '../protocol/format';
import type { RunEvent } from '../protocol/run';
import { wholeNumber } from './flags';
import { appFolder, ndiPath, nodeApplication } from './folders';
import { abortOnInterrupt } from './interrupt';
import { print, printError } from './terminal';

interface SendFlags {
  source: string;
  format: string;
  scale?: string;
  rate?: string;
  startFrame?: string;
  preload?: boolean;
  pixelFormat: string;
  streams: string;
  name: string;
  /** False with --no-audio. */
  audio: boolean;
}

const toldKinds: RunEvent['kind'][] = ['host-died', 'problem', 'source-failed', 'source-damaged'];

/** The study's render PC: streams go out until Ctrl-C. */
export async function sendCommand(flags: SendFlags): Promise<number> {
  const { source, format, scale, rate, preload, pixelFormat, name, audio } = flags;
  if (pixelFormat !== 'uyvy' && pixelFormat !== 'bgra')
    throw badInput('pixel-format', 'uyvy or bgra', pixelFormat);
  const streams = wholeNumber(flags.streams, 'streams');
  if (streams < 1 || streams > 64) throw badInput('streams', 'a whole number from 1 to 64', flags.streams);
  const startFrame =
    flags.startFrame === undefined ? undefined : wholeNumber(flags.startFrame, 'start-frame');
  const abort = abortOnInterrupt();
  const bench: Workbench = new Workbench({
    application: nodeApplication(),
    appFolder,
    ndiPath: ndiPath(),
    shareRecords: true,
    noteEvent: (kind, text) => {
      if (toldKinds.includes(kind)) printError(`whiteline: ${text}`);
    },
    // A watcher elsewhere is told how busy this machine was when a frame was missed.
    onSample: (sample) => bench.set.watchers.tellLoad(sample),
    onChange: () => undefined,
  });
  try {
    const ready = await bench.start();
    if (ready.ndiProblem) throw new WhitelineError(ready.ndiProblem);
    const active = await bench.set.openSource({
      source,
      format,
      scale,
      rate,
      startFrame,
      preload,
      pixelFormat,
    });
    const ours = { whiteline: appVersion(appFolder), ndi: ready.ndi?.version ?? null };
    bench.set.watchers.tellEnvironment(environmentMessages(await readMachine(bench.set.movieHost, ours)));
    for (let index = 0; index < streams; index++) await bench.set.addSender(name, { audio });
    print(...passedOver(name, bench.set.streams));
    const names = bench.set.streams.map((stream) => stream.name).join(', ');
    print(`Sending ${source} ${formatText(active.format)} as ${names}; Ctrl-C ends it.`);
    while (!abort.signal.aborted) await sleep(1000, abort.signal);
    return exitCodes.pass;
  } finally {
    void bench.close();
  }
}

/** Names that something else on this machine has: their numbers were passed over. */
function passedOver(name: string, streams: readonly { id: number }[]): string[] {
  const ids = streams.map(({ id }) => id);
  const taken = Array.from({ length: Math.max(...ids) }, (_, index) => index + 1)
    .filter((id) => !ids.includes(id))
    .map((id) => senderName(name, id));
  if (taken.length === 0) return [];
  return [`Taken already on this machine, so passed over: ${taken.join(', ')}`];
}
