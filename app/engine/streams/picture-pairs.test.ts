import { expect, test } from 'vitest';
import type { HostCommand } from '../../protocol/host';
import type { KeptPictures } from '../../protocol/records';
import { machineClock } from '../clock';
import { PicturePairs, type StreamEnd } from './picture-pairs';

/** An end that answers with these one after the other, the last for ever. */
class FakeEnd implements StreamEnd {
  readonly commands: HostCommand[] = [];
  constructor(
    readonly streamId: number,
    private readonly answers: (KeptPictures | null)[],
  ) {}

  readonly request = async (command: HostCommand): Promise<unknown> => {
    this.commands.push(command);
    if (command.name !== 'keptPictures') return null;
    return this.answers.length > 1 ? this.answers.shift() : this.answers[0];
  };
}

const options = { folder: '/pairs', width: 640, height: 360, frames: [1, 2, 3, 4], sourceId: 9 };

function kept(written: number[], skipped: KeptPictures['skipped'] = [], waiting = 0): KeptPictures {
  return { written, skipped, waiting };
}

test('a pair is there when both ends have it; what is missing is reported with its reason', async () => {
  const sender = new FakeEnd(3, [kept([1], [], 2), kept([1, 2, 3])]);
  const receiver = new FakeEnd(5, [kept([1, 4], [{ frame: 3, why: 'the disk did not keep up' }])]);
  const pairs = await PicturePairs.open(machineClock, options, sender, receiver);
  expect(await pairs.settled()).toEqual({
    folder: '/pairs',
    frames: [1],
    leftOut: [
      { frame: 2, why: 'it was not received, or not whole' },
      { frame: 3, why: 'the disk did not keep up' },
      { frame: 4, why: 'it was not sent, or not whole' },
    ],
  });
  await pairs.close();
  const ends = [sender, receiver].map(({ commands }) => commands[commands.length - 1]);
  expect(ends).toEqual([
    { name: 'keepPictures', streamId: 3, options: null },
    { name: 'keepPictures', streamId: 5, options: null },
  ]);
});

test('a host that was started again keeps nothing', async () => {
  const pairs = await PicturePairs.open(
    machineClock,
    options,
    new FakeEnd(1, [null]),
    new FakeEnd(1, [kept([1, 2, 3, 4])]),
  );
  expect((await pairs.settled()).frames).toEqual([]);
});

test('a stopped run waits for no disk, and closing survives a host that is gone', async () => {
  const stopped = AbortSignal.abort();
  const sender = new FakeEnd(1, [kept([1], [], 3)]);
  const gone: StreamEnd = {
    streamId: 2,
    request: async (command) => {
      if (command.name === 'keepPictures' && !command.options) throw new Error('gone');
      return kept([1]);
    },
  };
  const pairs = await PicturePairs.open(machineClock, options, sender, gone);
  expect((await pairs.settled(stopped)).frames).toEqual([1]);
  await expect(pairs.close()).resolves.toBeUndefined();
});
