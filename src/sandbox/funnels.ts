/** A funnel with the fields of the product's form. */
export interface SandboxFunnel {
  name: string;
  clientName: string;
  description: string;
  apiKey: string;
  funnelId: string;
  directLink: string;
  /** Comma-separated. */
  skills: string;
  professionalExpectations: string;
  skillExpectations: string;
  educationExpectations: string;
  cultureExpectations: string;
}

/** The first one is the active funnel of the demonstration. */
export const SANDBOX_FUNNELS: readonly SandboxFunnel[] = [
  {
    name: 'Senior Frontend Engineer',
    clientName: 'Northwind Health',
    description:
      'Builds the shift planner that nurses and doctors use on the ward: React and TypeScript, fast on old tablets, usable with one hand.',
    apiKey: 'sandbox-key-engineering',
    funnelId: 'engineering',
    directLink: 'https://interviews.example.com/northwind/frontend',
    skills: 'React, TypeScript, Accessibility, Testing, CSS, Performance',
    professionalExpectations:
      'Five years of web development, at least one product followed from first sketch to daily use.',
    skillExpectations:
      'Fluent in React and TypeScript, explains trade-offs, measures before optimising, writes tests users would thank for.',
    educationExpectations: 'No degree needed; a habit of learning, shown by example.',
    cultureExpectations: 'Disagrees kindly, reviews with questions, shares credit.',
  },
  {
    name: 'Customer Support Lead',
    clientName: 'Parcelbird',
    description:
      'Leads eight people who answer shops and their customers by mail, chat and telephone, seven days a week.',
    apiKey: 'sandbox-key-customer-support',
    funnelId: 'customer-support',
    directLink: 'https://interviews.example.com/parcelbird/support-lead',
    skills: 'Conflict resolution, Coaching, Zendesk, Reporting, Writing',
    professionalExpectations: 'Three years in support, one of them leading others.',
    skillExpectations: 'Calms a conflict, writes plainly, turns repeated questions into fixes.',
    educationExpectations: 'A completed vocational training or comparable experience.',
    cultureExpectations: 'Protects the team in a busy week and the customer in a bad one.',
  },
  {
    name: 'Registered Nurse, Night Shift',
    clientName: 'St. Brigid Clinic',
    description: 'Cares for patients of the surgical ward at night, in a team of four.',
    apiKey: 'sandbox-key-nursing',
    funnelId: 'nursing',
    directLink: 'https://interviews.example.com/st-brigid/night-nurse',
    skills: 'Patient safety, Medication, Handover, Empathy',
    professionalExpectations: 'Two years on a ward, night shifts included.',
    skillExpectations: 'Checks before giving, speaks up early, hands over at the bedside.',
    educationExpectations: 'Registered nurse with a valid licence.',
    cultureExpectations: 'Calm, honest with families, reports near misses without fear.',
  },
  {
    name: 'Warehouse Team Lead',
    clientName: 'Harbour Logistics',
    description: 'Runs one shift of fifteen people in the outbound hall.',
    apiKey: 'sandbox-key-warehouse',
    funnelId: 'warehouse',
    directLink: 'https://interviews.example.com/harbour/team-lead',
    skills: 'Shift planning, Safety, Forklift, Leadership',
    professionalExpectations: 'Two years in a warehouse, some of it in charge.',
    skillExpectations: 'Plans a shift, spots hazards, keeps trucks on time.',
    educationExpectations: 'Forklift licence welcome.',
    cultureExpectations: 'Fair, present on the floor, first to help.',
  },
];
