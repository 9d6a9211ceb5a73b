import { expect, test } from 'vitest';
import type { NoTextureMessage, TextureMessage } from '../../app/protocol/textures';
import type { GpuSupport } from './probe';
import { shownFor } from './shown';

const support: GpuSupport = {
  extensions: new Set(['WEBGL_compressed_texture_s3tc']),
  largestTexture: 4096,
  renderer: 'test',
  isSoftware: false,
};

const texture: TextureMessage = {
  type: 'texture',
  streamId: 1,
  sequence: 1,
  frame: 12,
  frames: 30,
  width: 640,
  height: 360,
  format: 'bc1-rgb',
  blocks: new Uint8Array(8),
  alphaBlocks: null,
  background: null,
};

function nothing(reason: NoTextureMessage['reason'], message = ''): NoTextureMessage {
  return { type: 'no-texture', streamId: 1, reason, message };
}

test('blocks are shown where the GPU takes them', () => {
  expect(shownFor({ support }, texture)).toEqual({
    kind: 'blocks',
    format: 'bc1-rgb',
    width: 640,
    height: 360,
    hasAlphaBlocks: false,
    isSoftware: false,
  });
});

test.each(['no-webgl2', 'context-lost', 'webgl-failed'] as const)(
  'the native preview takes their place: %s',
  (fault) => {
    expect(shownFor({ fault }, texture)).toEqual({ kind: 'native', why: { reason: fault } });
  },
);

test('so it does for what this GPU lacks', () => {
  expect(shownFor({ support }, { ...texture, format: 'bc7-rgba' })).toEqual({
    kind: 'native',
    why: { reason: 'extension', extension: 'EXT_texture_compression_bptc' },
  });
  expect(shownFor({ support }, { ...texture, alphaBlocks: new Uint8Array(8) })).toMatchObject({
    why: { extension: 'EXT_texture_compression_rgtc' },
  });
  expect(shownFor({ support }, { ...texture, width: 4100 })).toMatchObject({ why: { reason: 'size' } });
});

test('so it does for a source that has no blocks, or cannot be read', () => {
  expect(shownFor({ support }, nothing('not-hap'))).toEqual({ kind: 'native', why: { reason: 'not-hap' } });
  expect(shownFor({ support }, nothing('unreadable', 'a.mov is gone'))).toEqual({
    kind: 'native',
    why: { reason: 'unreadable', message: 'a.mov is gone' },
  });
});

test('before the first answer, and while its sender is on its way, the source is waited for', () => {
  expect(shownFor({ support }, null)).toEqual({ kind: 'waiting' });
  expect(shownFor({ support }, nothing('no-stream'))).toEqual({ kind: 'waiting' });
});
