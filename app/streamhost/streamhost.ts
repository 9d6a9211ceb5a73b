import { onBeat } from '../protocol/beat';
import type { HostReplyValue, HostRequest } from '../protocol/host';
import { KeepAlive } from '../protocol/keep-alive';
import { machineClock } from '../protocol/machine-clock';
import { packRecords } from '../protocol/record-block';
import { connectToEngine } from './channel';
import { DisplayServer } from './displays';
import { Host } from './host';
import { PreviewServer } from './previews';
import { lastWords, problemOf } from './problem';
import { TextureServer } from './textures';

/** Entry of a stream host's process. */

const host = new Host((progress) => engine.post(progress), machineClock);
const previews = new PreviewServer(() => host.receivers(), machineClock);
const displays = new DisplayServer(() => host.receivers(), machineClock);
const textures = new TextureServer((streamId) => host.textureSource(streamId), machineClock);

const agent = new KeepAlive(machineClock, () => leave());

const engine = connectToEngine({
  onRequest: (request) => void answer(request),
  onKeepAlive: () => agent.hear(),
  onPreviewPort: (port) => {
    displays.add(port);
    previews.add(port);
  },
  onTexturePort: (port) => textures.add(port),
  onEngineGone: () => leave(),
});

// The engine starts it again, and makes the open row INVALID.
process.on('uncaughtException', (error) => {
  process.stderr.write(`${lastWords(error)}\n`, () => process.exit(1));
});

const stopRecords = onBeat(machineClock, postRecords);

function postRecords(): void {
  const records = host.drain();
  engine.post(packRecords(records));
  displays.reportCaptured(records.receivers);
}

async function answer(request: HostRequest): Promise<void> {
  let value: HostReplyValue = null;
  let problem: ReturnType<typeof problemOf> | null = null;
  try {
    value = await host.execute(request);
  } catch (error) {
    problem = problemOf(error);
  }
  // What the command changed is reported before its reply, so that the caller knows it then.
  if (request.command.name !== 'time') postRecords();
  engine.post({ type: 'reply', requestId: request.requestId, value, problem });
}

function leave(): void {
  stopRecords();
  previews.close();
  displays.close();
  textures.close();
  host.close();
  process.exit(0);
}
