import type { ReasonData } from '../../facts/reason-words';
import { type CaptureRecords, PictureClass } from '../../protocol/records';

/**
 * Pictures of a sender before it is known how to count its frames: by code or by times. Black pictures and the SDK's placeholder never
 * tell.
 */
export class UncountedPictures {
  /** When the first of them came, 0 before it. */
  firstNs = 0;
  private readonly classes = new Set<number>();

  add({ captureNs, pictureClass }: CaptureRecords): void {
    this.firstNs ||= captureNs[0] ?? 0;
    for (const one of pictureClass) this.classes.add(one);
  }

  /** Which kinds of pictures came. */
  get kinds(): ReasonData<'pictures-uncounted'> {
    const { classes } = this;
    const [black, placeholder] = [PictureClass.Black, PictureClass.Placeholder].map((one) =>
      classes.has(one),
    );
    const known = Number(black) + Number(placeholder);
    return { black: black === true, placeholder: placeholder === true, other: classes.size > known };
  }
}
