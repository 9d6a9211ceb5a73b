import type { ContentBattery } from '../../app/protocol/content-battery';

const folder = '/home/operator/Whiteline/content';

function file(name: string, format: string, megabytes: number) {
  return {
    path: `${folder}/${name}-${format.replace('@', '-')}-10s-hap_q-8.mov`,
    ...{ format, seconds: 10, variant: 'hap_q', chunks: 8, bytes: megabytes * 1e6 },
  };
}

/** Some clips made, most not. */
export const battery: ContentBattery = {
  folder,
  clips: [
    {
      name: 'flares',
      stresses:
        'The whole chain as in the study, whose Flares.mov it stands for; disk rate and decoder at the bitrate of a rich show',
      files: [file('flares', '3840x2160@60', 2329), file('flares', '1920x1080@59.94', 582)],
    },
    {
      name: 'noise',
      stresses:
        'The worst that can be, for disk, codec and network; nothing can be compressed and nothing predicted',
      files: [file('noise', '1920x1080@30', 622)],
    },
    ...[
      ['particles', 'Small bright points that a codec would like to drop; no block of pixels moves as one'],
      ['zone-plate', 'Every spatial frequency in every direction up to the finest'],
      ['text-crawl', 'Sharp edges in motion, grey and saturated, as in tickers and credits'],
      ['gradients', 'Banding, by coarse quantisation of smooth ramps, dark ones above all'],
      ['shader', 'Fine coloured detail over the whole picture that moves fast and in no one direction'],
      ['cuts', 'Scene changes; the first frame after a cut can be predicted from nothing'],
      ['black', 'Nothing; it shows what a stream costs without a picture'],
      ['live-action-like', 'What a camera delivers; edges and texture at every size, uneven motion, grain'],
    ].map(([name = '', stresses = '']) => ({ name, stresses, files: [] })),
  ],
};
