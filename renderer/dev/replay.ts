/**
 * The console without Electron and engine, for work on its looks: `npx vite`, then open
 * /renderer/dev/?scenario=four (any name of `scenarios`). Never part of a build.
 */
import { type ShellBridge, shellChannels } from '../../app/protocol/bridge';
import type { ConsoleRequest, EngineMessage, PreviewMessage } from '../../app/protocol/console';
import { declarationOf } from '../../app/protocol/experiments/registry';
import { parseFormat } from '../../app/protocol/format';
import type { EngineLife } from '../../app/protocol/shell';
import { whiteLineAt } from '../../app/protocol/white-line';
import { reportArchiveLife, serveArchiveOver } from './archive';
import { battery } from './battery';
import { nmosMessage } from './nmos';
import { offers } from './offers';
import { lossesOf, samplesOf } from './samples';
import { scenarios, stateOf } from './scenarios';
import { replayedSettings } from './settings';
import { serveTexturesOver } from './textures';

const scenario = scenarios[new URLSearchParams(location.search).get('scenario') ?? 'empty'] ?? {};
let reportLife: (life: EngineLife) => void = () => {};

function post(channel: string): MessagePort {
  const { port1, port2 } = new MessageChannel();
  window.postMessage({ type: channel }, '*', [port2]);
  return port1;
}

function serveEngine(): void {
  if (scenario.life === 'starting') return;
  const port = post(shellChannels.enginePort);
  const send = (message: EngineMessage): void => port.postMessage(message);
  port.onmessage = ({ data }: MessageEvent<ConsoleRequest>) => {
    const { requestId, command } = data;
    let problem = null;
    if (command.name === 'checkParameters') {
      const checked = declarationOf(command.experiment).parameters.safeParse(command.parameters);
      const issue = checked.error?.issues[0];
      if (issue) {
        problem = { code: 'BAD_INPUT' as const, message: issue.message, field: String(issue.path[0]) };
      }
    }
    if (command.name === 'listBattery') send({ type: 'battery', battery });
    if (command.name === 'listLiveSources')
      send({ type: 'liveSources', sources: scenario.liveSources ?? [] });
    if (command.name === 'listExperiments') send({ type: 'experiments', experiments: offers });
    if (command.name === 'nmos' && command.does.act === 'open')
      send(nmosMessage(scenario.nmosNodes ?? 0, scenario.nmosView));
    send({ type: 'reply', requestId, problem });
    if (command.name !== 'hello') return;
    const now = Date.now();
    send({ type: 'state', state: stateOf(scenario) });
    send({ type: 'rows', from: 0, rows: scenario.rows ?? [], provisional: scenario.provisional ?? null });
    send({
      type: 'marks',
      marks: (scenario.marks ?? []).map((mark) => ({ ...mark, wallMs: now + mark.wallMs })),
    });
    send({
      type: 'samples',
      samples: samplesOf(scenario, now - 180_000, now),
      losses: lossesOf(scenario, now - 180_000, now),
    });
    setInterval(() => {
      const at = Date.now();
      send({
        type: 'samples',
        samples: samplesOf(scenario, at - 500, at),
        losses: lossesOf(scenario, at - 1000, at),
      });
      send({ type: 'state', state: stateOf(scenario) });
    }, 500);
    if (scenario.life === 'crashed') setTimeout(() => reportLife({ state: 'crashed', exitCode: 139 }), 300);
  };
}

/** Moving pictures of the white line. */
function servePreviews(): void {
  const port = post(shellChannels.previewPort);
  const { rate } = parseFormat('1280x720@60');
  const [width, height] = [256, 144];
  let frameNumber = 0;
  setInterval(() => {
    frameNumber += 5;
    for (const { id } of scenario.streams ?? []) {
      const pixels = new Uint8ClampedArray(width * height * 4).fill(255);
      const line = whiteLineAt(frameNumber + id * 7, width, rate);
      for (let pixel = 0; pixel < width * height; pixel += 1) {
        const x = pixel % width;
        const y = Math.floor(pixel / width);
        const grey = x % 32 === 0 || y % 24 === 0 ? 110 : 70;
        const level = x >= line.left && x < line.left + line.width ? 235 : grey;
        pixels.fill(level, pixel * 4, pixel * 4 + 3);
      }
      const size = { width, height };
      const message: PreviewMessage = {
        type: 'preview',
        streamId: id,
        ...size,
        frameNumber,
        confirm: false,
        pixels,
      };
      port.postMessage(message);
    }
  }, 83);
}

const bridge: ShellBridge = {
  requestEnginePort: serveEngine,
  requestPreviewPort: servePreviews,
  requestTexturePort: () => serveTexturesOver(post(shellChannels.texturePort), scenario.noTexture),
  requestArchivePort: () => serveArchiveOver(post(shellChannels.archivePort)),
  onArchiveLife: reportArchiveLife,
  onEngineLife: (listener) => {
    reportLife = listener;
  },
  onFileDropped: () => {},
  ...replayedSettings,
  restartEngine: async () => location.reload(),
  chooseMovie: async () => '/media/clips/detail-2160p60.mov',
  chooseExport: async (kind) => ({ grant: '', path: `/home/operator/whiteline-2026-11-21.${kind}` }),
  choosePlanToOpen: async () => null,
  choosePlanFile: async () => ({ grant: '', path: '/home/operator/plan.yaml' }),
  choosePicture: async () => ({ grant: '', path: '/home/operator/rack.png' }),
  openExternal: async () => {},
  openFolder: async () => {},
  toggleWhiteLine: async () => {},
  toggleDisplay: async () => {},
  moveDisplay: async () => {},
  toggleFullScreen: async () => {},
  shareRefresh: async () => 0,
  listDisplays: async () => [],
  onDisplaysChanged: () => {},
  toggleTheme: async () => {},
};
window.whiteline = bridge;
void import('../main');
