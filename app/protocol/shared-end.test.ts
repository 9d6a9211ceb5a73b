import { expect, test } from 'vitest';
import { parseSharedEnd, sharedEndXml } from './shared-end';

test('a sender’s end is read as it was said', () => {
  const end = { sourceId: 4711, before: 0xffffffff };
  expect(parseSharedEnd(sharedEndXml(end))).toEqual(end);
});

test.each([
  '',
  '<whiteline_end/>',
  '<whiteline_end version="2" source="1" before="1"/>',
  '<whiteline_end version="1" source="0" before="1"/>',
  '<whiteline_end version="1" source="65536" before="1"/>',
  '<whiteline_end version="1" source="1" before="4294967296"/>',
  '<whiteline_end version="1" source="1" before="-1"/>',
  '<whiteline_end version="1" source="1" before="1"/> ',
])('%j is no end of a sender', (xml) => {
  expect(parseSharedEnd(xml)).toBeNull();
});
