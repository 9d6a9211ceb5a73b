import { afterEach, expect, test } from 'vitest';
import { SlotState } from '../../../app/protocol/records';
import type { Source, SourceOptions } from '../../addon/index';
import { addon, smallFormat, waitFor } from './addon_fixture';

const open: Source[] = [];

afterEach(() => {
  for (const source of open.splice(0)) source.close();
});

function openMovie(file: string, ...parameters: string[]): Source {
  const options: SourceOptions = { kind: 'movie', ...smallFormat, command: { file, arguments: parameters } };
  const source = new addon.Source(options);
  open.push(source);
  return source;
}

function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch {
    return false;
  }
}

const ffmpegPictures = [
  ...['-v', 'error', '-nostdin', '-f', 'lavfi', '-i', 'testsrc2=size=640x360:rate=30'],
  ...['-pix_fmt', 'uyvy422', '-f', 'rawvideo', '-'],
];

test('ffmpeg plays, its death is reported and its last picture stays, and closing ends it', async () => {
  const source = openMovie('ffmpeg', ...ffmpegPictures);
  const slots: number[] = [];
  await waitFor('playing', () => {
    slots.push(...source.drain().state);
    return slots.length >= 20 ? true : undefined;
  });
  expect(slots).toContain(SlotState.Released);
  const { commandProcessId, state } = source.status();
  expect(state).toBe('running');
  expect(isAlive(commandProcessId)).toBe(true);

  process.kill(commandProcessId, 'SIGKILL');
  await waitFor('failure', () => (source.status().state === 'failed' ? true : undefined));
  expect(source.status().message).toMatch(/signal 9/);
  source.drain();
  await waitFor('late slots', () => (source.drain().state.includes(SlotState.LateSource) ? true : undefined));
});

test('closing a source ends its command', async () => {
  const source = openMovie('ffmpeg', ...ffmpegPictures);
  await waitFor('playing', () => (source.status().state === 'running' ? true : undefined));
  const { commandProcessId } = source.status();
  expect(isAlive(commandProcessId)).toBe(true);
  source.close();
  await waitFor('the end of ffmpeg', () => (isAlive(commandProcessId) ? undefined : true));
});

test.each([
  [
    'a file that is missing',
    ['ffmpeg', '-v', 'error', '-i', '/nowhere/movie.mov', '-f', 'rawvideo', '-'],
    /No such file/,
  ],
  ['a command that is missing', ['/nowhere/ffmpeg'], /\/nowhere\/ffmpeg/],
  [
    'half a picture',
    ['sh', '-c', 'head -c 1000 /dev/zero; echo broken >&2; exit 3'],
    /exit code 3.*1000 of 460800.*broken/s,
  ],
  ['nothing at all', ['true'], /exit code 0/],
])('%s: the source fails and says why', async (_, command, expected) => {
  const [file, ...parameters] = command as [string, ...string[]];
  const source = openMovie(file, ...parameters);
  await waitFor('failure', () => (source.status().state === 'failed' ? true : undefined));
  expect(source.status().message).toMatch(expected);
  expect(source.status().startNs).toBe(0);
  expect(source.drain().frameNumber.length).toBe(0);
});
