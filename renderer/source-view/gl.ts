// biome-ignore-all lint/correctness/useHookAtTopLevel: WebGL's useProgram is no hook of React.

export interface Size {
  width: number;
  height: number;
}

/** One triangle that covers everything: no buffers needed. */
const coveringVertices = `#version 300 es
void main() {
  vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
  gl_Position = vec4(corner, 0.0, 1.0);
}`;

/** Runs a fragment shader over a whole target. `samplers`: texture units by the name of the sampler that reads them. */
export class Pass {
  private readonly program: WebGLProgram;
  private readonly uniforms = new Map<string, WebGLUniformLocation | null>();

  constructor(
    private readonly gl: WebGL2RenderingContext,
    fragments: string,
    samplers: Record<string, number>,
  ) {
    this.program = programOf(gl, fragments);
    gl.useProgram(this.program);
    for (const [name, unit] of Object.entries(samplers)) gl.uniform1i(this.uniform(name), unit);
  }

  /** `framebuffer`: null for the canvas. `set` gives the uniforms their values. */
  draw(framebuffer: WebGLFramebuffer | null, { width, height }: Size, set: (pass: Pass) => void): void {
    const { gl } = this;
    gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
    gl.viewport(0, 0, width, height);
    gl.useProgram(this.program);
    set(this);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  }

  uniform(name: string): WebGLUniformLocation | null {
    let location = this.uniforms.get(name);
    if (location === undefined) {
      location = this.gl.getUniformLocation(this.program, name);
      this.uniforms.set(name, location);
    }
    return location;
  }

  close(): void {
    this.gl.deleteProgram(this.program);
  }
}

/** A texture with storage that is never sampled between its texels or beyond its edge. */
export function textureOf(
  gl: WebGL2RenderingContext,
  internalFormat: number,
  { width, height }: Size,
  levels = 1,
): WebGLTexture {
  const texture = made(gl.createTexture(), 'texture');
  bindTexture(gl, 0, texture);
  gl.texStorage2D(gl.TEXTURE_2D, levels, internalFormat, width, height);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
  return texture;
}

export function framebufferOn(gl: WebGL2RenderingContext, texture: WebGLTexture): WebGLFramebuffer {
  const framebuffer = made(gl.createFramebuffer(), 'framebuffer');
  gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
  gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
  return framebuffer;
}

export function bindTexture(gl: WebGL2RenderingContext, unit: number, texture: WebGLTexture): void {
  gl.activeTexture(gl.TEXTURE0 + unit);
  gl.bindTexture(gl.TEXTURE_2D, texture);
}

/** @throws Error when WebGL refused a call since the last look; a lost context is not a refusal. */
export function assertNoError(gl: WebGL2RenderingContext): void {
  const code = gl.getError();
  if (code !== gl.NO_ERROR && code !== gl.CONTEXT_LOST_WEBGL) {
    throw new Error(`WebGL2 refused a call with error 0x${code.toString(16)}`);
  }
}

function programOf(gl: WebGL2RenderingContext, fragments: string): WebGLProgram {
  const program = made(gl.createProgram(), 'program');
  const shaders = [
    shaderOf(gl, gl.VERTEX_SHADER, coveringVertices),
    shaderOf(gl, gl.FRAGMENT_SHADER, fragments),
  ];
  for (const shader of shaders) gl.attachShader(program, shader);
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) {
    throw new Error(`The shaders do not link: ${gl.getProgramInfoLog(program)}`);
  }
  for (const shader of shaders) gl.deleteShader(shader);
  return program;
}

function shaderOf(gl: WebGL2RenderingContext, kind: number, source: string): WebGLShader {
  const shader = made(gl.createShader(kind), 'shader');
  gl.shaderSource(shader, source);
  gl.compileShader(shader);
  if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) {
    throw new Error(`A shader does not compile: ${gl.getShaderInfoLog(shader)}`);
  }
  return shader;
}

/** A lost context makes nothing. */
function made<Thing>(thing: Thing | null, name: string): Thing {
  if (thing === null) throw new Error(`WebGL2 gave no ${name}`);
  return thing;
}
