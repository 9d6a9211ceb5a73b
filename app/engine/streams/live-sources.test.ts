import { expect, test } from 'vitest';
import { LiveSources } from './live-sources';
import { ActiveSource } from './stream';

const rate = { numerator: 30000, denominator: 1001 };

function followed(sourceName: string, followedBy: 'code' | 'times' | null, width = 1920) {
  const receiver = { width, height: 1080 } as never;
  return { sourceName, followedBy, receiver, framesPerSecond: 50 };
}

test('a source that is listed under each address of its machine is one', () => {
  const discovered = [
    { name: 'VM (b)', address: '127.0.0.1:5961' },
    { name: 'VM (a)', address: '' },
    { name: 'VM (b)', address: '192.0.2.7:5961' },
    { name: 'VM (b)', address: '127.0.0.1:5961' },
  ];
  expect(new LiveSources().list(discovered, [], [])).toEqual([
    { name: 'VM (a)', addresses: [], sender: 'other', format: null },
    { name: 'VM (b)', addresses: ['127.0.0.1:5961', '192.0.2.7:5961'], sender: 'other', format: null },
  ]);
});

test('size, rate and kind are known once a source is followed, and after that', () => {
  const listed = ['PC (camera)', 'PC (idle)', 'PC (Stage 1)', 'PC (Whiteline 1)'].map((name) => ({
    name,
    address: '192.0.2.7:5961',
  }));
  const sources = new LiveSources();
  const known = (...streams: Parameters<LiveSources['list']>[2]) =>
    sources.list(listed, [], streams).map(({ sender, format }) => [sender, format?.width ?? null]);
  expect(known()).toEqual([
    ['other', null],
    ['other', null],
    ['other', null],
    ['whiteline', null],
  ]);
  const after = [
    ['other', null],
    ['other', null],
    ['whiteline', 1920],
    ['other', 1280],
  ];
  expect(
    known(
      followed('PC (Stage 1)', 'code'),
      followed('PC (Whiteline 1)', 'times', 1280),
      followed('PC (camera)', null),
      followed('PC (idle)', 'times', 0),
    ),
  ).toEqual(after);
  expect(known()).toEqual(after);
});

test('what this console sends is known by its source', () => {
  const source = new ActiveSource(1, 'noise', { width: 640, height: 360, rate });
  const own = { fullName: 'HERE (Stage 1)', source, framesPerSecond: 30 };
  expect(new LiveSources().list([{ name: 'HERE (Stage 1)', address: '127.0.0.1:5961' }], [own], [])).toEqual([
    {
      ...{ name: 'HERE (Stage 1)', addresses: ['127.0.0.1:5961'], sender: 'own' },
      format: { width: 640, height: 360, framesPerSecond: 30 },
    },
  ]);
});
