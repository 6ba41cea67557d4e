import type { Script } from './script.ts';
import { BARISTA_SCRIPTS } from './scripts/barista.ts';
import { DESIGNER_SCRIPTS } from './scripts/designer.ts';
import { ENGINEERING_SCRIPTS } from './scripts/engineering.ts';
import { NURSING_SCRIPTS } from './scripts/nursing.ts';
import { SUPPORT_SCRIPTS } from './scripts/support.ts';
import { WAREHOUSE_SCRIPTS } from './scripts/warehouse.ts';

/** All recordings. Run `make-media.ts` to generate their files. */
export const SCRIPTS: readonly Script[] = [
  ...ENGINEERING_SCRIPTS,
  ...SUPPORT_SCRIPTS,
  ...NURSING_SCRIPTS,
  ...WAREHOUSE_SCRIPTS,
  ...DESIGNER_SCRIPTS,
  ...BARISTA_SCRIPTS,
];
