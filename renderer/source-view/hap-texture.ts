import type { TextureBlocks, TextureFormat } from '../../app/protocol/textures';
import { assertNoError, bindTexture, framebufferOn, Pass, type Size, textureOf } from './gl';
import { internalFormatOf, paddedSize } from './probe';
import { pictureFragments, scalingFragments } from './shaders';

/** Texture units, by the samplers of the shaders. */
const units = { blocks: 0, alphaBlocks: 1, background: 2 };
const pictureUnit = 0;

/**
 * Shows a movie's compressed blocks on a WebGL2 canvas: they are uploaded as they are, made into a picture at full size
 * by a shader, and then scaled to the canvas. The caller has made sure that the GPU takes the format and the size.
 * Every call throws when WebGL fails.
 */
export class HapTexture {
  private readonly scaling: Pass;
  private movie: MoviePicture | null = null;

  constructor(private readonly gl: WebGL2RenderingContext) {
    this.scaling = new Pass(gl, scalingFragments, { picture: pictureUnit });
  }

  /** Makes the picture of these blocks; `background` takes the place of the one before, null leaves it. */
  upload(texture: TextureBlocks, background: Uint8Array | null): void {
    if (this.movie?.fits(texture)) {
      this.movie.upload(texture, background);
      return;
    }
    this.movie?.close();
    this.movie = new MoviePicture(this.gl, texture);
    this.movie.upload(texture, background);
    // Asking waits for the GPU, so once for each shape: what it takes once it takes again.
    assertNoError(this.gl);
  }

  /** Draws the newest picture over the whole canvas. */
  draw(): void {
    const { gl, movie } = this;
    if (!movie) return;
    const { width, height } = gl.canvas;
    bindTexture(gl, pictureUnit, movie.picture);
    // LINEAR alone leaves pixels out from half the size down: there the smaller copies come in.
    const isSmall = width * 2 <= movie.size.width;
    if (isSmall) gl.generateMipmap(gl.TEXTURE_2D);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, isSmall ? gl.LINEAR_MIPMAP_LINEAR : gl.LINEAR);
    this.scaling.draw(null, gl.canvas, (pass) => gl.uniform2f(pass.uniform('canvasSize'), width, height));
  }

  close(): void {
    this.movie?.close();
    this.scaling.close();
  }
}

/** Everything on the GPU that depends on a movie's size and format. */
class MoviePicture {
  readonly size: Size;
  /** The whole picture, top row first, with room for smaller copies of itself. */
  readonly picture: WebGLTexture;
  private readonly format: TextureFormat;
  private readonly framebuffer: WebGLFramebuffer;
  private readonly decoding: Pass;
  private readonly blocks: WebGLTexture;
  private readonly alphaBlocks: WebGLTexture | null;
  private background: WebGLTexture | null = null;

  constructor(
    private readonly gl: WebGL2RenderingContext,
    { width, height, format, alphaBlocks }: TextureBlocks,
  ) {
    const hasAlphaBlocks = alphaBlocks !== null;
    this.size = { width, height };
    this.format = format;
    this.picture = textureOf(gl, gl.RGBA8, this.size, Math.floor(Math.log2(Math.max(width, height))) + 1);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
    this.framebuffer = framebufferOn(gl, this.picture);
    this.decoding = new Pass(gl, pictureFragments(format, hasAlphaBlocks), units);
    this.blocks = this.blockTexture(format);
    this.alphaBlocks = hasAlphaBlocks ? this.blockTexture('bc4-alpha') : null;
  }

  fits({ width, height, format, alphaBlocks }: TextureBlocks): boolean {
    const hasSameParts = (alphaBlocks !== null) === (this.alphaBlocks !== null);
    const { size } = this;
    return width === size.width && height === size.height && format === this.format && hasSameParts;
  }

  upload({ blocks, alphaBlocks }: TextureBlocks, background: Uint8Array | null): void {
    this.uploadBlocks(this.blocks, this.format, blocks);
    if (this.alphaBlocks && alphaBlocks) this.uploadBlocks(this.alphaBlocks, 'bc4-alpha', alphaBlocks);
    if (background) this.uploadBackground(background);
    const { gl } = this;
    bindTexture(gl, units.blocks, this.blocks);
    if (this.alphaBlocks) bindTexture(gl, units.alphaBlocks, this.alphaBlocks);
    // A sampler must have a complete texture even where the shader does not use it.
    bindTexture(gl, units.background, this.background ?? this.blocks);
    this.decoding.draw(this.framebuffer, this.size, (pass) =>
      gl.uniform1i(pass.uniform('hasBackground'), Number(this.background !== null)),
    );
  }

  close(): void {
    const { gl } = this;
    gl.deleteFramebuffer(this.framebuffer);
    for (const texture of [this.picture, this.blocks, this.alphaBlocks, this.background]) {
      gl.deleteTexture(texture);
    }
    this.decoding.close();
  }

  /** Covers the picture in whole blocks, as WebGL demands; only texels of the picture are ever fetched. */
  private blockTexture(format: TextureFormat): WebGLTexture {
    return textureOf(this.gl, internalFormatOf(format), this.paddedSize());
  }

  private paddedSize(): Size {
    return { width: paddedSize(this.size.width), height: paddedSize(this.size.height) };
  }

  private uploadBlocks(target: WebGLTexture, format: TextureFormat, blocks: Uint8Array): void {
    const { gl } = this;
    const { width, height } = this.paddedSize();
    bindTexture(gl, 0, target);
    gl.compressedTexSubImage2D(gl.TEXTURE_2D, 0, 0, 0, width, height, internalFormatOf(format), blocks);
  }

  private uploadBackground(levels: Uint8Array): void {
    const { gl } = this;
    const { width, height } = this.size;
    this.background ??= textureOf(gl, gl.R8, this.size);
    bindTexture(gl, 0, this.background);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, width, height, gl.RED, gl.UNSIGNED_BYTE, levels);
  }
}
