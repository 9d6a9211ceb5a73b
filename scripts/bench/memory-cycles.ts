import { join } from 'node:path';
import { machineClock } from '../../app/engine/clock';
import { Instrument } from '../../app/engine/instrument';
import { readProcessMemoryMb } from '../../app/engine/load/memory';
import { NodeApplication } from '../../app/engine/node-application';
import { ndiRuntimeOf } from '../../app/protocol/transports';
import { BareSdk } from './bare-sdk';
import { hostIds } from './host-ids';
import { PreviewWindow, TextureWindow } from './memory-windows';

/**
 * Streams that are opened and closed again and again, in the engine's own hosts and in bare processes over the SDK. A
 * cycle opens two streams, shows them for a moment and closes them; a round is one cycle of each case. Prints one JSON
 * object per round: what each process holds after it. Runs with --expose-gc.
 */

interface Options {
  appFolder: string;
  /** ndi_bare_cycles, built. */
  bareExecutable: string;
  /** Rounded up to whole rounds. */
  cycles: number;
}

/** What the streams of one case show; followed: their senders are bare ones elsewhere. */
interface Case {
  source: string;
  format: string;
  sound: boolean;
  followed: boolean;
}

interface Bare {
  sending: BareSdk;
  receiving: BareSdk;
  /** Sends what is followed. Its own memory does not count. */
  elsewhere: BareSdk;
}

/** What looks at our streams. */
interface Windows {
  previews: PreviewWindow;
  textures: TextureWindow;
}

const streamNumbers = [1, 2];
const heldMs = 700;
/** What closes goes on closing after its order is answered. */
const settlingMs = 1500;
const pictureTimeoutMs = 30_000;

function casesOf(appFolder: string): Case[] {
  const clip = join(appFolder, 'test-content/bars-640x360-30-hap.mov');
  const [large, small] = ['1920x1080@30', '640x360@30'];
  return [
    { source: 'noise', format: large, sound: true, followed: false },
    { source: 'white-line', format: small, sound: false, followed: false },
    { source: clip, format: small, sound: true, followed: false },
    { source: 'noise', format: large, sound: false, followed: true },
  ];
}

async function run({ appFolder, bareExecutable, cycles }: Options): Promise<void> {
  const application = new NodeApplication({
    streamHostFile: join(appFolder, 'dist/app/streamhost.cjs'),
    reportTemplate: '',
    appFolder,
  });
  const ndiPath = process.env.WHITELINE_NDI_PATH || undefined;
  const nothing = (): void => undefined;
  const quiet = { noteEvent: nothing, onSample: nothing, onChange: nothing };
  const instrument = new Instrument({
    application,
    clock: machineClock,
    appFolder,
    ndiPath,
    shareRecords: true,
    ...quiet,
  });
  const opened: BareSdk[] = [];
  try {
    const ndi = ndiRuntimeOf((await instrument.start()).transport);
    const hosts = hostIds(process.pid);
    const open = (): BareSdk => {
      const sdk = new BareSdk(bareExecutable, ndi?.path ?? '');
      opened.push(sdk);
      return sdk;
    };
    const bare: Bare = { sending: open(), receiving: open(), elsewhere: open() };
    const windows = { previews: new PreviewWindow(), textures: new TextureWindow() };
    application.connectView('preview-port', windows.previews);
    application.connectView('texture-port', windows.textures);
    for (let cycle = 0; cycle < cycles; ) {
      for (const one of casesOf(appFolder)) {
        cycle += 1;
        await showBoth(one, `memory-${process.pid}-${cycle}`, instrument, windows, bare);
      }
      await machineClock.sleep(settlingMs);
      globalThis.gc?.();
      print({
        cycle,
        engine: readProcessMemoryMb(process.pid),
        engineHeap: process.memoryUsage().heapUsed / 1e6,
        sending: readProcessMemoryMb(hosts.sending),
        receiving: readProcessMemoryMb(hosts.receiving),
        bareSending: readProcessMemoryMb(bare.sending.processId),
        bareReceiving: readProcessMemoryMb(bare.receiving.processId),
      });
    }
  } finally {
    for (const sdk of opened) sdk.end();
    await instrument.close();
  }
}

/** One case, ours and the bare SDK's at the same time. */
async function showBoth(one: Case, name: string, instrument: Instrument, windows: Windows, bare: Bare) {
  const send = (sdk: BareSdk, prefix: string): Promise<string[]> =>
    Promise.all(streamNumbers.map((n) => sdk.ask(`send ${prefix}-${n} ${one.format} ${one.sound ? 1 : 0}`)));
  const bareNames = await send(bare.sending, `${name}-bare`);
  const followedNames = one.followed ? await send(bare.elsewhere, `${name}-elsewhere`) : [];
  const shown = showOurs(one, name, followedNames, instrument, windows);
  for (const fullName of bareNames) await bare.receiving.ask(`receive ${fullName}`);
  await until(async () => Number(await bare.receiving.ask('pictures')) > 0);
  await machineClock.sleep(heldMs);
  await bare.receiving.ask('close');
  await bare.sending.ask('close');
  await shown;
  await bare.elsewhere.ask('close');
}

async function showOurs(
  { source, format, sound, followed }: Case,
  name: string,
  followedNames: string[],
  { set }: Instrument,
  windows: Windows,
): Promise<void> {
  if (!followed) await set.openSource({ source, format, pixelFormat: 'uyvy' });
  if (followed) for (const fullName of followedNames) await set.followed.add(fullName);
  else for (const _ of streamNumbers) await set.addStream(name, { audio: sound });
  const opened = followed ? set.followed.streams : set.streams;
  windows.previews.show(opened.map(({ id }) => id));
  windows.textures.show(opened[0]?.id ?? 0);
  await until(async () => opened.every(({ firstCaptureNs }) => firstCaptureNs > 0));
  await machineClock.sleep(heldMs);
  await set.followed.removeAll();
  await set.removeAll();
  await set.closeSource();
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  const limitNs = machineClock.monotonicNs() + pictureTimeoutMs * 1e6;
  while (!(await isTrue())) {
    if (machineClock.monotonicNs() > limitNs)
      throw new Error(`no picture within ${pictureTimeoutMs / 1000} s`);
    await machineClock.sleep(20);
  }
}

function print(line: Record<string, unknown>): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

run(JSON.parse(process.argv[2] ?? '{}') as Options).catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
