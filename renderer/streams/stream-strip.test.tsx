import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import type { PreviewsState, StreamView } from '../../app/protocol/console';
import { streamView } from '../testing/fixtures';
import { texts } from '../texts';
import { StreamStrip } from './stream-strip';

vi.mock('../engine/connection', () => ({ previews: { attach: () => () => undefined } }));

function markupOf(change: Partial<StreamView>): string {
  return renderToStaticMarkup(<StreamStrip stream={streamView(1, change)} canRemove={true} showsDetails />);
}

test('a stream that another machine receives says whose picture it waits for, and why it has no full size', () => {
  const markup = markupOf({ receivedOn: 'render-1', isSenderRemote: true });
  expect(markup.match(/>Waiting for a picture from render-1</g)).toHaveLength(2);
  expect(markup).toContain(
    'title="render-1 receives this stream: this machine gets only small pictures of it',
  );
  expect(markup).toMatch(/aria-label="[^"]*source[^"]*"[^>]* disabled/);
});

test.each([{ receivedOn: null }, { receivedOn: null, sentFrom: 'render-1', isSenderRemote: true }])(
  'a stream that is received here has its picture and its full size, wherever it is sent from (%o)',
  (place) => {
    const markup = markupOf(place);
    expect(markup).not.toMatch(/Waiting for a picture|no-picture|stream-picture/);
    expect(markup).not.toMatch(/aria-label="[^"]*source[^"]*"[^>]* disabled/);
  },
);

test('a sender that this console has started is none of others, on whatever machine', () => {
  const isSenderRemote = true;
  expect(markupOf({ isSenderRemote })).toContain('stream-method');
  for (const place of [{ sentFrom: 'render-1' }, { receivedOn: 'render-1' }])
    expect(markupOf({ isSenderRemote, ...place })).not.toContain('stream-method');
});

test('there is a sentence for each state of the pictures, with the name of the machine', () => {
  const states: PreviewsState[] = ['open', 'behind', 'silent', 'gone'];
  const sentences = states.flatMap((state) =>
    [true, false].map((hasPicture) => texts.streams.elsewhere.picture('render-1', { state, hasPicture })),
  );
  for (const sentence of sentences) expect(sentence).toContain('render-1');
  expect(sentences[0]).toBe('Picture from render-1, at most 2 a second');
});

test('a strip names the machines of its ends that are not this one, and both in the title', () => {
  expect(markupOf({})).not.toContain('stream-way');
  const both = markupOf({ sentFrom: 'render-1', receivedOn: 'display-1', isSenderRemote: true });
  expect(both).toContain('title="Sent by render-1, received by display-1"');
  expect(both).toMatch(/<span>from render-1<\/span><span>to display-1<\/span>/);
  const one = markupOf({ sentFrom: 'render-1', isSenderRemote: true });
  expect(one).toContain('title="Sent by render-1, received by this machine"');
  expect(one).not.toContain('>to ');
});

test('each count says up to when it counts, once there is anything', () => {
  const countedTo = '2026-11-24T08:01:02.345Z';
  expect(markupOf({ countedTo })).toContain('Counted from the end of the warm-up to 08:01:02.345 UTC');
  expect(markupOf({ countedTo: null })).not.toContain('Counted from');
});

test('a stream that was stopped says so, and offers nothing that needs it', () => {
  const stream = streamView(1, { state: 'removing', receivedOn: 'render-1', isSenderRemote: true });
  const markup = renderToStaticMarkup(
    <StreamStrip stream={stream} canRemove={false} isEnded showsDetails={false} />,
  );
  expect(markup).toContain('ended-strip');
  expect(markup).toContain(`>${texts.streams.endedState}<`);
  expect(markup).toMatch(/aria-label="[^"]*source[^"]*"[^>]* disabled/);
  expect(markup).not.toMatch(/Waiting for a picture|stream-cause|stream-picture|Remove stream/);
});

test('figures that are not large stand there when details are shown', () => {
  const markupWith = (showsDetails: boolean) =>
    renderToStaticMarkup(<StreamStrip stream={streamView(1)} canRemove showsDetails={showsDetails} />);
  for (const metric of ['framesSubmitted', 'framesReceived', 'framesDropped', 'framesUndecodable']) {
    expect(markupWith(true)).toContain(`data-metric="${metric}"`);
    expect(markupWith(false)).not.toContain(`data-metric="${metric}"`);
  }
  for (const metric of ['lostTotal', 'framesSenderMissed', 'deliveredFps', 'latencyP99Ms', 'longestGapMs'])
    expect(markupWith(false)).toContain(`data-metric="${metric}"`);
});
