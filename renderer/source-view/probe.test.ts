import { expect, test } from 'vitest';
import { type GpuSupport, lackFor, paddedSize, probeGpu } from './probe';

const all = [
  'WEBGL_compressed_texture_s3tc',
  'EXT_texture_compression_rgtc',
  'EXT_texture_compression_bptc',
] as const;

function gpu(extensions: readonly string[], largestTexture = 8192): GpuSupport {
  return { extensions: new Set(extensions), largestTexture, renderer: 'test', isSoftware: false };
}

const shape = { width: 1920, height: 1080, hasAlphaBlocks: false };

test.each([
  ['bc1-rgb', all[0]],
  ['bc3-rgba', all[0]],
  ['bc3-scaled-ycocg', all[0]],
  ['bc4-alpha', all[1]],
  ['bc7-rgba', all[2]],
  ['bc6h-unsigned', all[2]],
  ['bc6h-signed', all[2]],
] as const)('%s needs %s and nothing else', (format, extension) => {
  expect(lackFor(gpu([extension]), { ...shape, format })).toBeNull();
  const others = all.filter((name) => name !== extension);
  expect(lackFor(gpu(others), { ...shape, format })).toEqual({ reason: 'extension', extension });
});

test('Hap Q Alpha needs the extension of its alpha too', () => {
  const texture = { ...shape, format: 'bc3-scaled-ycocg', hasAlphaBlocks: true } as const;
  expect(lackFor(gpu([all[0]]), texture)).toEqual({ reason: 'extension', extension: all[1] });
  expect(lackFor(gpu(all), texture)).toBeNull();
});

test('a picture is too large when its padded size is', () => {
  const texture = { ...shape, height: 16, format: 'bc1-rgb' } as const;
  expect(lackFor(gpu(all, 8190), { ...texture, width: 8188 })).toBeNull();
  expect(lackFor(gpu(all, 8190), { ...texture, width: 8189 })).toEqual({
    reason: 'size',
    largestTexture: 8190,
  });
  expect(lackFor(gpu(all, 100), { ...texture, width: 16, height: 101 })).toMatchObject({ reason: 'size' });
});

test('sizes are padded to whole blocks', () => {
  expect([1, 3, 4, 5, 127, 128, 71].map(paddedSize)).toEqual([4, 4, 4, 8, 128, 128, 72]);
});

function fakeContext(extensions: string[], renderer: string): WebGL2RenderingContext {
  const values: Record<number, unknown> = { 1: 4096, 2: 'masked', 3: renderer };
  return {
    MAX_TEXTURE_SIZE: 1,
    RENDERER: 2,
    getExtension: (name: string) => {
      if (name === 'WEBGL_debug_renderer_info') return { UNMASKED_RENDERER_WEBGL: 3 };
      return extensions.includes(name) ? {} : null;
    },
    getParameter: (name: number) => values[name],
  } as unknown as WebGL2RenderingContext;
}

test('the probe reports extensions, limit and driver', () => {
  const card = 'ANGLE (NVIDIA, NVIDIA GeForce RTX 3060 Direct3D11 vs_5_0 ps_5_0, D3D11)';
  expect(probeGpu(fakeContext([all[0], 'EXT_color_buffer_float'], card))).toEqual({
    extensions: new Set([all[0]]),
    largestTexture: 4096,
    renderer: card,
    isSoftware: false,
  });
});

test.each([
  'ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device (Subzero) (0x0000C0DE)), SwiftShader driver)',
  'ANGLE (Mesa, llvmpipe (LLVM 15.0.6, 256 bits), OpenGL 4.5)',
  'ANGLE (Microsoft, Microsoft Basic Render Driver Direct3D11 vs_5_0 ps_5_0, D3D11)',
])('%s is no graphics card', (renderer) => {
  expect(probeGpu(fakeContext([...all], renderer)).isSoftware).toBe(true);
});
