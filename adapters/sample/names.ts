const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Countries of the sample data, with names that are common there. */
export const COUNTRIES = [
  {
    name: 'Germany',
    cities: words('Berlin Hamburg Munich Cologne Leipzig Stuttgart Bremen'),
    firstNames: words(`
      Anna Lena Marie Sophie Clara Ida Greta Jonas Lukas Felix Paul Maximilian Karl Moritz Emil Katrin Sabine
    `),
    lastNames: words(`
      Müller Schmidt Schneider Fischer Weber Meyer Wagner Becker Schulz Hoffmann Koch Bauer Richter Klein Wolf
    `),
  },
  {
    name: 'France',
    cities: words('Paris Lyon Marseille Toulouse Nantes Lille Bordeaux'),
    firstNames: words(`
      Camille Chloé Manon Juliette Louise Margaux Inès Louis Hugo Arthur Gabriel Jules Antoine Mathieu Luc Claire
    `),
    lastNames: words(`
      Martin Bernard Dubois Moreau Laurent Simon Michel Lefebvre Leroy Roux Fournier Girard Mercier Blanc Garnier
    `),
  },
  {
    name: 'Spain',
    cities: words('Madrid Barcelona Valencia Seville Bilbao Zaragoza Málaga'),
    firstNames: words(`
      Lucía Carmen Marta Elena Paula Alba Sara Daniel Pablo Alejandro Javier Diego Sergio Álvaro Manuel Rosa
    `),
    lastNames: words(`
      García Fernández González Rodríguez López Martínez Sánchez Pérez Gómez Díaz Ruiz Navarro Torres Romero Gil
    `),
  },
  {
    name: 'Italy',
    cities: words('Rome Milan Turin Naples Bologna Florence Genoa'),
    firstNames: words(`
      Giulia Francesca Chiara Sofia Martina Alessia Elisa Marco Luca Matteo Andrea Davide Lorenzo Stefano Paolo
    `),
    lastNames: words(`
      Rossi Russo Ferrari Esposito Bianchi Romano Colombo Ricci Marino Greco Bruno Gallo Conti Costa Fontana
    `),
  },
  {
    name: 'Netherlands',
    cities: words('Amsterdam Rotterdam Utrecht Eindhoven Groningen Haarlem'),
    firstNames: words('Emma Julia Sanne Fleur Lotte Eva Daan Sem Bram Thijs Lars Jasper Pieter Willem Marieke Anouk'),
    lastNames: words(`
      Jansen Bakker Visser Smit Meijer Mulder Bos Vos Peters Hendriks Dekker Brouwer Dijkstra Kok Jacobs
    `),
  },
  {
    name: 'Sweden',
    cities: words('Stockholm Gothenburg Malmö Uppsala Lund Örebro'),
    firstNames: words('Elsa Astrid Maja Freja Linnéa Karin Ingrid Erik Oskar Nils Axel Gustav Anders Lars Johan Sven'),
    lastNames: words(`
      Andersson Johansson Karlsson Nilsson Eriksson Larsson Olsson Persson Svensson Gustafsson Lindberg Holm Berg
    `),
  },
  {
    name: 'Poland',
    cities: words('Warsaw Kraków Wrocław Poznań Gdańsk Łódź'),
    firstNames: words(`
      Zofia Hanna Maja Alicja Ewa Agnieszka Jan Jakub Antoni Piotr Tomasz Marek Adam Michał Katarzyna
    `),
    lastNames: words(`
      Nowak Wójcik Kowalczyk Woźniak Mazur Krawczyk Kaczmarek Zając Król Wieczorek Wróbel Stępień Dudek Pawlak
    `),
  },
  {
    name: 'Ireland',
    cities: words('Dublin Cork Galway Limerick Waterford'),
    firstNames: words('Aoife Saoirse Niamh Ciara Róisín Fiona Sean Conor Cian Patrick Liam Declan Eoin Brendan Maeve'),
    lastNames: words(`
      Murphy Kelly Walsh Byrne Ryan O'Brien O'Connor Doyle McCarthy Gallagher Doherty Kennedy Lynch Quinn Nolan
    `),
  },
];

export const TRADES = words(`
  Logistics Bakery Motors Consulting Energy Textiles Foods Furniture Software Travel Pharma Construction Media Wines
  Optics Marine
`);
