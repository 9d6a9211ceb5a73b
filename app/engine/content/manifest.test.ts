import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import Ajv2020 from 'ajv/dist/2020';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { manifestJsonSchema, parseManifest, readManifest } from './manifest';
import { contentTable } from './table';

const file = resolve('test-content/manifest.yaml');
const text = readFileSync(file, 'utf8');
const manifest = readManifest(resolve('.'));

test('the battery has the clips that were asked for', () => {
  expect(manifest.clips.map(({ name }) => name)).toEqual([
    ...['flares', 'noise', 'particles', 'zone-plate', 'text-crawl'],
    ...['gradients', 'shader', 'cuts', 'black', 'live-action-like'],
  ]);
});

test('each clip is painted by a generator that the native core has', () => {
  const core = readFileSync(resolve('native/content/generator.cc'), 'utf8');
  const generators = [...core.matchAll(/^ {4}\{"([a-z-]+)", content::make/gm)].map((match) => match[1]);
  expect(generators.length).toBeGreaterThan(5);
  for (const { generator } of manifest.clips) expect(generators).toContain(generator);
});

test('flares have the bitrate of the study’s clip, 1.8 Gb/s ± 20 %', () => {
  expect(manifest.measured.hapQ).toMatchObject({ size: '3840x2160', rate: 60, chunks: 8 });
  const hapQ = manifest.clips.find(({ name }) => name === 'flares')?.hapQ;
  const bitrateMbps = hapQ && 'bitrateMbps' in hapQ ? hapQ.bitrateMbps : 0;
  expect(bitrateMbps).toBeGreaterThan(1440);
  expect(bitrateMbps).toBeLessThan(2160);
});

test('at least two clips visibly break NDI', () => {
  // Under 30 dB a moving picture is damaged for anyone who looks.
  const broken = manifest.clips.filter(
    ({ ndi }) => 'worstPsnrDb' in ndi && ndi.worstPsnrDb !== 'exact' && ndi.worstPsnrDb < 30,
  );
  expect(broken.length).toBeGreaterThanOrEqual(2);
});

test('docs/content.md has the table of the manifest', () => {
  expect(readFileSync(resolve('docs/content.md'), 'utf8')).toContain(contentTable(manifest));
});

test('docs/schema/content.schema.json is what the code says; `vitest -u` writes it', async () => {
  await expect(manifestJsonSchema()).toMatchFileSnapshot('../../../docs/schema/content.schema.json');
  const validate = new Ajv2020({ strict: false }).compile(JSON.parse(manifestJsonSchema()));
  expect(validate(parse(text)), JSON.stringify(validate.errors)).toBe(true);
});

describe('a manifest is refused, with the place, what belongs there and what stands there', () => {
  const refusal = (from: string | RegExp, to: string): string => {
    const changed = text.replace(from, to);
    expect(changed).not.toBe(text);
    try {
      parseManifest(changed, 'manifest.yaml');
    } catch (error) {
      return (error as Error).message;
    }
    return 'accepted';
  };

  test.each([
    [
      'no YAML',
      'clips:',
      'clips: [',
      /^manifest\.yaml:\d+:\d+: Expected YAML for the manifest of the test content but received \S/,
    ],
    ['an alias of nothing', 'rate: 60', 'rate: *absent', /Expected YAML/],
    [
      'a word for a number',
      'rate: 60',
      'rate: fast',
      'Expected a number for manifest.yaml measured.hapQ.rate but received "fast"',
    ],
    [
      'too many chunks',
      'chunks: 8',
      'chunks: 65',
      'Expected at most 64 for manifest.yaml measured.hapQ.chunks but received 65',
    ],
    [
      'a field that is missing',
      /\n {4}generator: flares/,
      '',
      'Expected a string for manifest.yaml clips.0.generator but received nothing',
    ],
    [
      'a field that is not known',
      'generator: flares',
      'generator: flares\n    colour: blue',
      'Expected known fields only for manifest.yaml clips.0 but received colour',
    ],
    [
      'a name with a space',
      'name: flares',
      'name: big flares',
      /^Expected a text like .+ for manifest\.yaml clips\.0\.name but received "big flares"$/,
    ],
    [
      'a name twice',
      'name: noise',
      'name: flares',
      'Expected each name once for manifest.yaml clips but received flares',
    ],
    [
      'a figure below zero',
      /(name: flares[\s\S]+?bitrateMbps: )[\d.]+/,
      '$1-1',
      'Expected more than 0 for manifest.yaml clips.0.hapQ.bitrateMbps but received -1',
    ],
  ])('%s', (_, from, to, sentence) => {
    const said = refusal(from, to);
    if (sentence instanceof RegExp) expect(said).toMatch(sentence);
    else expect(said).toBe(sentence);
  });
});

test('a manifest that is gone says where it was looked for', () => {
  expect(() => readManifest('/nowhere')).toThrow(/\/nowhere\/test-content\/manifest\.yaml/);
});
