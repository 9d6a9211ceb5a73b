import { expect, test } from 'vitest';
import { exitCodeOf, exitCodes, toProblem } from './errors';
import { formatText, framesPerSecond, parseFormat, parseRate, parseSize, rateText } from './format';

test.each([
  ['60', 60, 1],
  ['59.94', 60000, 1001],
  ['29.97', 30000, 1001],
  ['23.976', 24000, 1001],
  ['23.98', 24000, 1001],
  ['119.88', 120000, 1001],
  ['60000/1001', 60000, 1001],
  ['25/1', 25, 1],
  ['1/2', 1, 2],
  ['1000', 1000, 1],
])('the rate %s is the fraction %i/%i', (text, numerator, denominator) => {
  expect(parseRate(text)).toEqual({ numerator, denominator });
});

test.each([
  '0',
  '0/1',
  '1/3',
  '60/0',
  '1001',
  '59.9',
  '-30',
  '',
  '30fps',
  '1e3',
  '60/1/1',
  'NaN',
  '9999999999',
])('the rate “%s” is refused', (text) => {
  expect(() => parseRate(text)).toThrow(/Expected frames per second from 0.5 to 1000/);
});

test.each([
  ['1280x720@60', 1280, 720, 60],
  ['320x180@1', 320, 180, 1],
  ['16384x16384@1', 16384, 16384, 1],
  [' 640x361@59.94 ', 640, 361, 60000 / 1001],
  ['1920x1080@60000/1001', 1920, 1080, 60000 / 1001],
  ['1920X1080@59.94', 1920, 1080, 60000 / 1001],
  ['1920×1080@60', 1920, 1080, 60],
])('the format “%s” is taken', (text, width, height, rate) => {
  const format = parseFormat(text);
  expect([format.width, format.height]).toEqual([width, height]);
  expect(framesPerSecond(format.rate)).toBe(rate);
  expect(parseFormat(formatText(format))).toEqual(format);
});

test.each([
  '0x0@60',
  '641x360@30',
  '300x100@30',
  '318x180@30',
  '320x178@30',
  '99999x99999@1',
  '16386x720@30',
  '1280x720',
  '1280x720@',
  '1280x720@0',
  'x@',
  '',
  '1280*720@60',
  '-640x360@30',
  '640.5x360@30',
])('the format “%s” is refused with field, value and remedy', (text) => {
  let problem = null;
  try {
    parseFormat(text);
  } catch (error) {
    problem = toProblem(error);
  }
  expect(problem).toMatchObject({ code: 'BAD_INPUT', field: 'format', remedy: expect.stringMatching(/Use/) });
  expect(problem?.message).toMatch(/^Expected .+ for format but received .+/);
  expect(problem && exitCodeOf(problem)).toBe(exitCodes.badInput);
});

test('rates are reported by the name that people know', () => {
  expect(rateText({ numerator: 60000, denominator: 1001 })).toBe('59.94');
  expect(rateText({ numerator: 50, denominator: 1 })).toBe('50');
  expect(rateText({ numerator: 25, denominator: 2 })).toBe('25/2');
});

test('a size has two even enough numbers', () => {
  expect(parseSize('1280x720', 'scale')).toEqual({ width: 1280, height: 720 });
  expect(() => parseSize('1280', 'scale')).toThrow(/Expected WIDTHxHEIGHT for scale but received 1280/);
  expect(() => parseSize('1281x720', 'scale')).toThrow(/even width/);
});
