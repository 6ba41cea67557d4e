import { getAts, searchAtsJobs } from '#contracts/ats.ts';
import type { App } from '#server/http/app.ts';
import { route } from '#server/http/route.ts';
import type { ConnectedAts } from './connected-ats.service.ts';

export function atsRoutes(app: App, ats: ConnectedAts): void {
  route(app, getAts, () => ats.find());
  route(app, searchAtsJobs, ({ query }) => ats.searchJobs(query.search));
}
