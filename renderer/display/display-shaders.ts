/**
 * Captured picture → canvas, pixel by pixel; row 0 of the picture is at the top. UYVY has video levels and the matrix of its
 * frame's height, as native/media/pattern/colour.h has them; BGRA has its bytes in that order.
 */
export const displayFragments = `#version 300 es
precision highp float;
precision highp sampler2D;
uniform sampler2D picture;
uniform bool isUyvy;
uniform bool isBt709;
uniform int rows;
uniform int linesOfRow;
out vec4 result;
vec3 colourOf(float luma, vec2 chroma) {
  float grey = (luma - 16.0 / 255.0) * 1.164384;
  vec2 uv = chroma - 128.0 / 255.0;
  return isBt709
    ? vec3(grey + 1.792741 * uv.y, grey - 0.213242 * uv.x - 0.532906 * uv.y, grey + 2.112396 * uv.x)
    : vec3(grey + 1.596024 * uv.y, grey - 0.391769 * uv.x - 0.812973 * uv.y, grey + 2.017227 * uv.x);
}
void main() {
  ivec2 pixel = ivec2(int(gl_FragCoord.x), rows - 1 - int(gl_FragCoord.y) / linesOfRow);
  if (!isUyvy) {
    result = vec4(texelFetch(picture, pixel, 0).bgr, 1.0);
    return;
  }
  vec4 pair = texelFetch(picture, ivec2(pixel.x / 2, pixel.y), 0);
  float luma = pixel.x % 2 == 0 ? pair.g : pair.a;
  result = vec4(clamp(colourOf(luma, pair.rb), 0.0, 1.0), 1.0);
}`;
