import type { TextureFormat } from '../../app/protocol/textures';

/** What WebGL2 calls a format, and the extension that brings it. */
interface GpuFormat {
  extension: string;
  internalFormat: number;
}

const s3tc = 'WEBGL_compressed_texture_s3tc';
const rgtc = 'EXT_texture_compression_rgtc';
const bptc = 'EXT_texture_compression_bptc';

/** The numbers are those of the extensions' registry. */
const gpuFormats: Readonly<Record<TextureFormat, GpuFormat>> = {
  'bc1-rgb': { extension: s3tc, internalFormat: 0x83f0 },
  'bc3-rgba': { extension: s3tc, internalFormat: 0x83f3 },
  'bc3-scaled-ycocg': { extension: s3tc, internalFormat: 0x83f3 },
  'bc4-alpha': { extension: rgtc, internalFormat: 0x8dbb },
  'bc7-rgba': { extension: bptc, internalFormat: 0x8e8c },
  'bc6h-signed': { extension: bptc, internalFormat: 0x8e8e },
  'bc6h-unsigned': { extension: bptc, internalFormat: 0x8e8f },
};

export function internalFormatOf(format: TextureFormat): number {
  return gpuFormats[format].internalFormat;
}

/** What this window's WebGL2 can take. */
export interface GpuSupport {
  extensions: ReadonlySet<string>;
  largestTexture: number;
  /** As the driver names itself. */
  renderer: string;
  /** Drawn by the processor: there is no graphics card behind it. */
  isSoftware: boolean;
}

const softwareRenderers = /swiftshader|llvmpipe|softpipe|basic render/i;

export function probeGpu(gl: WebGL2RenderingContext): GpuSupport {
  const extensions = new Set([s3tc, rgtc, bptc].filter((name) => gl.getExtension(name) !== null));
  const debug = gl.getExtension('WEBGL_debug_renderer_info');
  const renderer = String(gl.getParameter(debug ? debug.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
  return {
    extensions,
    largestTexture: Number(gl.getParameter(gl.MAX_TEXTURE_SIZE)),
    renderer,
    isSoftware: softwareRenderers.test(renderer),
  };
}

/** Why a texture cannot be shown by this GPU; null when it can. */
export type GpuLack = { reason: 'extension'; extension: string } | { reason: 'size'; largestTexture: number };

export interface TextureShape {
  width: number;
  height: number;
  format: TextureFormat;
  hasAlphaBlocks: boolean;
}

export function lackFor(support: GpuSupport, shape: TextureShape): GpuLack | null {
  const formats: TextureFormat[] = shape.hasAlphaBlocks ? [shape.format, 'bc4-alpha'] : [shape.format];
  for (const format of formats) {
    const { extension } = gpuFormats[format];
    if (!support.extensions.has(extension)) return { reason: 'extension', extension };
  }
  const { largestTexture } = support;
  if (Math.max(paddedSize(shape.width), paddedSize(shape.height)) > largestTexture) {
    return { reason: 'size', largestTexture };
  }
  return null;
}

/** Blocks cover whole multiples of 4, and WebGL allocates no others. */
export function paddedSize(pixels: number): number {
  return Math.ceil(pixels / 4) * 4;
}
