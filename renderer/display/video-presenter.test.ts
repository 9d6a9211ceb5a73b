import { expect, test, vi } from 'vitest';
import { VideoPresenter } from './video-presenter';

class VideoElement {
  srcObject: unknown = null;
  readonly play = (): Promise<void> => Promise.resolve();
  requestVideoFrameCallback(): number {
    return 0;
  }
}

class Generator {
  readonly writable = { getWriter: () => ({}) };
}

class MediaStream {
  constructor(readonly tracks: unknown[]) {}
}

function openIn(browser: Record<string, unknown>): { video: VideoElement; opened: VideoPresenter | null } {
  const all = {
    ...{ HTMLVideoElement: VideoElement, VideoFrame: class {}, MediaStreamTrackGenerator: Generator },
    ...{ MediaStream, ...browser },
  };
  for (const [name, value] of Object.entries(all)) if (value !== undefined) vi.stubGlobal(name, value);
  const video = new VideoElement();
  return { video, opened: VideoPresenter.open(video as unknown as HTMLVideoElement, () => undefined) };
}

test('a browser with all that it takes shows a track that frames are written into', () => {
  const { video, opened } = openIn({});
  expect(opened).toBeInstanceOf(VideoPresenter);
  expect(video.srcObject).toEqual(new MediaStream([expect.any(Generator)]));
});

test.each([
  ['frames of its own', { VideoFrame: undefined }],
  ['a track to write into', { MediaStreamTrackGenerator: undefined }],
  ['calls back', { HTMLVideoElement: class {} }],
])('a browser without %s has none', (_, browser) => {
  expect(openIn(browser).opened).toBeNull();
});
