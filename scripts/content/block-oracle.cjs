// Decodes the textures of the Hap R and Hap HDR clips with a decoder that shares nothing with ours, SwiftShader's,
// which Electron brings along for machines without a graphics card:
//
//   .runtime/electron/electron --no-sandbox scripts/content/block-oracle.cjs
//
// Writes test-content/clips/oracle.json: for each clip the hashes of its frames in packed BGRA. To be run when such
// a clip was made anew; needs a display (xvfb-run will do).

const { writeFileSync } = require('node:fs');
const path = require('node:path');
const { app, BrowserWindow } = require('electron');

const oracleFile = path.join(__dirname, '../../test-content/clips/oracle.json');
// By what clip-list.mjs calls them: as WebGL's EXT_texture_compression_bptc names them.
const webglFormats = {
  bc7: 'COMPRESSED_RGBA_BPTC_UNORM_EXT',
  bc6u: 'COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT_EXT',
  bc6s: 'COMPRESSED_RGB_BPTC_SIGNED_FLOAT_EXT',
};
const switches = { 'use-gl': 'angle', 'use-angle': 'swiftshader', 'enable-unsafe-swiftshader': '' };

for (const [name, value] of Object.entries(switches)) app.commandLine.appendSwitch(name, value);
app
  .whenReady()
  .then(writeOracle)
  .then(
    () => app.exit(0),
    (error) => {
      process.stderr.write(`${error.stack}\n`);
      app.exit(1);
    },
  );

async function writeOracle() {
  // Electron takes no other module than CommonJS to start with.
  const { clipTextures } = await import('./clip-content.mjs');
  const { clipList, variants } = await import('./clip-list.mjs');
  const { memberText } = await import('./clip-list-file.mjs');
  const window = new BrowserWindow({ show: false });
  await window.loadURL('data:text/html,');
  const inPage = (task, job) => window.webContents.executeJavaScript(`(${task})(${JSON.stringify(job)})`);

  const decodedBy = await inPage(nameOfRenderer, null);
  if (!decodedBy.includes('SwiftShader')) throw new Error(`Expected SwiftShader but received ${decodedBy}`);
  const members = [];
  for (const clip of clipList()) {
    const format = webglFormats[variants[clip.variant].images[0]];
    if (!format) continue;
    const hashes = [];
    for (const [texture] of clipTextures(clip)) {
      hashes.push(hashOf(clip, await inPage(decodeInPage, jobOf(clip, format, texture))));
    }
    members.push(memberText(`${clip.name}.mov`, hashes, '    '));
  }
  const name = memberText('decodedBy', decodedBy, '  ');
  writeFileSync(oracleFile, `{\n${name},\n  "bgra": {\n${members.join(',\n')}\n  }\n}\n`);
}

/** Textures are whole blocks. */
function jobOf({ size }, format, { bytes }) {
  return {
    format,
    width: Math.ceil(size.width / 4) * 4,
    height: Math.ceil(size.height / 4) * 4,
    blocks: Buffer.from(bytes).toString('base64'),
  };
}

/** 64-bit FNV-1a of the picture in packed BGRA; the texels are numbers of which 1 is a full level. */
function hashOf({ size }, { texels, rowTexels }) {
  let hash = 0xcbf29ce484222325n;
  for (let y = 0; y < size.height; y++) {
    for (let x = 0; x < size.width; x++) {
      for (const channel of [2, 1, 0, 3]) {
        const level = Math.floor(texels[(y * rowTexels + x) * 4 + channel] * 255 + 0.5);
        hash ^= BigInt(Math.min(255, Math.max(0, level)));
        hash = BigInt.asUintN(64, hash * 0x100000001b3n);
      }
    }
  }
  return hash.toString(16).padStart(16, '0');
}

function nameOfRenderer() {
  const gl = document.createElement('canvas').getContext('webgl2');
  return gl.getParameter(gl.getExtension('WEBGL_debug_renderer_info').UNMASKED_RENDERER_WEBGL);
}

/** In the page: the texels of a texture, a number for each channel. */
function decodeInPage({ format, width, height, blocks }) {
  const gl = document.createElement('canvas').getContext('webgl2');
  const bptc = gl.getExtension('EXT_texture_compression_bptc');
  gl.getExtension('EXT_color_buffer_float');

  gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
  const bytes = Uint8Array.from(atob(blocks), (letter) => letter.charCodeAt(0));
  gl.compressedTexImage2D(gl.TEXTURE_2D, 0, bptc[format], width, height, 0, bytes);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);

  gl.bindRenderbuffer(gl.RENDERBUFFER, gl.createRenderbuffer());
  gl.renderbufferStorage(gl.RENDERBUFFER, gl.RGBA32F, width, height);
  gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
  gl.framebufferRenderbuffer(
    gl.FRAMEBUFFER,
    gl.COLOR_ATTACHMENT0,
    gl.RENDERBUFFER,
    gl.getParameter(gl.RENDERBUFFER_BINDING),
  );

  const program = gl.createProgram();
  const shaders = {
    VERTEX_SHADER:
      'void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4. - 1., 0, 1); }',
    FRAGMENT_SHADER:
      'uniform highp sampler2D s; out highp vec4 c; void main() { c = texelFetch(s, ivec2(gl_FragCoord.xy), 0); }',
  };
  for (const [kind, source] of Object.entries(shaders)) {
    const shader = gl.createShader(gl[kind]);
    gl.shaderSource(shader, `#version 300 es\n${source}`);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  // biome-ignore lint/correctness/useHookAtTopLevel: a function of WebGL, no hook of React
  gl.useProgram(program);
  gl.viewport(0, 0, width, height);
  gl.drawArrays(gl.TRIANGLES, 0, 3);
  const texels = new Float32Array(width * height * 4);
  gl.readPixels(0, 0, width, height, gl.RGBA, gl.FLOAT, texels);
  const error = gl.getError();
  if (error !== gl.NO_ERROR) throw new Error(`WebGL error ${error}`);
  return { texels: Array.from(texels), rowTexels: width };
}
