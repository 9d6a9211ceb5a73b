import type { TextureFormat } from '../../app/protocol/textures';

const rgba = 'vec4 colourOf(vec4 texel) { return texel; }';

/** How the texels of each format become a colour with straight alpha; the formulas stand in docs/hap.md. */
const colourOf: Readonly<Record<TextureFormat, string>> = {
  'bc1-rgb': rgba,
  'bc3-rgba': rgba,
  'bc7-rgba': rgba,
  'bc3-scaled-ycocg': `vec4 colourOf(vec4 texel) {
    float scale = texel.b * (255.0 / 8.0) + 1.0;
    float orange = (texel.r - 128.0 / 255.0) / scale;
    float green = (texel.g - 128.0 / 255.0) / scale;
    float luma = texel.a;
    return vec4(luma + orange - green, luma + green, luma - orange - green, 1.0);
  }`,
  'bc4-alpha': 'vec4 colourOf(vec4 texel) { return vec4(texel.rrr, 1.0); }',
  'bc6h-unsigned': rgba,
  'bc6h-signed': rgba,
};

/**
 * Blocks → picture, pixel by pixel and never between them: neighbours of scaled YCoCg must not be mixed, and the padding
 * must not bleed in. Row 0 is the top one.
 */
export function pictureFragments(format: TextureFormat, hasAlphaBlocks: boolean): string {
  return `#version 300 es
precision highp float;
precision highp sampler2D;
uniform sampler2D blocks;
uniform sampler2D alphaBlocks;
uniform sampler2D background;
uniform bool hasBackground;
out vec4 result;
${colourOf[format]}
void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  vec4 colour = clamp(colourOf(texelFetch(blocks, pixel, 0)), 0.0, 1.0);
  float alpha = ${hasAlphaBlocks ? 'texelFetch(alphaBlocks, pixel, 0).r' : 'colour.a'};
  if (hasBackground) colour.rgb = mix(texelFetch(background, pixel, 0).rrr, colour.rgb, alpha);
  result = vec4(colour.rgb, 1.0);
}`;
}

/** Picture → canvas, scaled; row 0 of the picture is at the top of the canvas. */
export const scalingFragments = `#version 300 es
precision highp float;
uniform sampler2D picture;
uniform vec2 canvasSize;
out vec4 result;
void main() {
  vec2 place = gl_FragCoord.xy / canvasSize;
  result = texture(picture, vec2(place.x, 1.0 - place.y));
}`;
