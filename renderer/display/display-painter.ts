import type { ViewedPicture } from '../../app/protocol/display';
import { assertNoError, bindTexture, Pass, type Size, textureOf } from '../source-view/gl';
import { displayFragments } from './display-shaders';

const pictureUnit = 0;

/** Draws captured pictures, in the format they came in, on a canvas of the size of their frame. Throws when WebGL fails. */
export class DisplayPainter {
  private readonly pass: Pass;
  private texture: { texture: WebGLTexture; size: Size } | null = null;
  private shape = '';

  constructor(private readonly gl: WebGL2RenderingContext) {
    this.pass = new Pass(gl, displayFragments, { picture: pictureUnit });
  }

  /** Uploads and draws it; the browser scales the canvas to the display. */
  draw(picture: ViewedPicture): void {
    const { gl } = this;
    const { width, height, streamHeight, isField, pixelFormat } = picture;
    const linesOfRow = isField ? 2 : 1;
    const isUyvy = pixelFormat === 'uyvy';
    const shape = `${width}×${height} ${linesOfRow} ${pixelFormat}`;
    const isNewShape = shape !== this.shape;
    if (isNewShape) this.fit(shape, { width, height }, linesOfRow, isUyvy);
    if (!this.texture) return;
    const { texture, size } = this.texture;
    bindTexture(gl, pictureUnit, texture);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 4);
    const { pixels } = picture;
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, size.width, size.height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    this.pass.draw(null, { width, height: height * linesOfRow }, (pass) => {
      gl.uniform1i(pass.uniform('isUyvy'), Number(isUyvy));
      gl.uniform1i(pass.uniform('isBt709'), Number(streamHeight * linesOfRow >= 720));
      gl.uniform1i(pass.uniform('rows'), height);
      gl.uniform1i(pass.uniform('linesOfRow'), linesOfRow);
    });
    // Asking waits for the GPU, so once for each shape.
    if (isNewShape) assertNoError(gl);
  }

  close(): void {
    this.gl.deleteTexture(this.texture?.texture ?? null);
    this.pass.close();
  }

  /** Two pixels of UYVY are one texel. */
  private fit(shape: string, { width, height }: Size, linesOfRow: number, isUyvy: boolean): void {
    const { gl } = this;
    this.gl.deleteTexture(this.texture?.texture ?? null);
    const size = { width: isUyvy ? width / 2 : width, height };
    this.texture = { texture: textureOf(gl, gl.RGBA8, size), size };
    this.shape = shape;
    gl.canvas.width = width;
    gl.canvas.height = height * linesOfRow;
  }
}
