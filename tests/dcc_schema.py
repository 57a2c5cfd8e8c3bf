"""What PTB's schema of digital calibration certificates (DCC 3.2.1 with D-SI 2.1.0, LGPL v3) says of the elements that
we write, told in a notation of our own and turned into XML Schema: content in its order, ? may be left out, * again and
again, | one of them. What may stand there too, and is never written by us, is OTHER, which no document of ours has.

The schema itself is not part of this project; with `CERTIFY_DCC_SCHEMA` the test validates against the file so named.
"""

import re
from xml.sax.saxutils import quoteattr

TYPES = {  # of DCC
    "certificate": "administrativeData:administration measurementResults:results comment:OTHER? document:OTHER?",
    "administration": "all dccSoftware:softwares refTypeDefinitions:OTHER? coreData:core items:items "
    "calibrationLaboratory:laboratory respPersons:persons customer:contact statements:statements?",
    "softwares": "software:software*",
    "software": "name:text release:line type:softwareKind? description:rich?",
    "core": "countryCodeISO3166_1:country usedLangCodeISO639_1:language* mandatoryLangCodeISO639_1:language* "
    "uniqueIdentifier:line identifications:identifications? receiptDate:xs:date? beginPerformanceDate:xs:date "
    "endPerformanceDate:xs:date performanceLocation:place issueDate:xs:date? reportAmendedSubstituted:OTHER? "
    "previousReport:OTHER?",
    "items": "name:text? equipmentClass:OTHER? description:rich? owner:contact? manufacturer:loose? "
    "identifications:identifications? item:item*",
    "item": "name:text equipmentClass:OTHER? description:rich? installedSoftwares:softwares? manufacturer:loose? "
    "model:line? identifications:identifications itemQuantities:OTHER?",
    "identifications": "identification:identification*",
    "identification": "issuer:issuer value:line name:text?",
    "laboratory": "calibrationLaboratoryCode:line? contact:contact cryptElectronicSeal:xs:boolean? "
    "cryptElectronicSignature:xs:boolean? cryptElectronicTimeStamp:xs:boolean?",
    "persons": "respPerson:person*",
    "person": "person:loose description:rich? role:line? mainSigner:xs:boolean? cryptElectronicSeal:xs:boolean? "
    "cryptElectronicSignature:xs:boolean? cryptElectronicTimeStamp:xs:boolean?",
    "contact": "name:text eMail:line? phone:line? fax:line? location:location descriptionData:OTHER?",
    "loose": "name:text eMail:line? phone:line? fax:line? location:location? descriptionData:OTHER?",
    "location": "| city:line countryCode:country postCode:line postOfficeBox:line state:line street:line "
    "streetNo:line further:rich positionCoordinates:OTHER",
    "statements": "statement:statement*",
    "metaData": "metaData:statement*",
    "statement": "name:text? description:rich? countryCodeISO3166_1:country? convention:line? traceable:xs:boolean? "
    "norm:line? reference:line? declaration:rich? valid:xs:boolean? date:xs:date? period:xs:duration? "
    "respAuthority:contact? conformity:OTHER? data:data? nonSIDefinition:line? nonSIUnit:line? location:location?",
    "results": "measurementResult:result*",
    "result": "name:text description:rich? usedMethods:methods? usedSoftware:softwares? measuringEquipments:OTHER? "
    "influenceConditions:OTHER? results:outcomes measurementMetaData:metaData?",
    "methods": "usedMethod:method*",
    "method": "name:text description:rich? norm:line? reference:line?",
    "outcomes": "result:outcome*",
    "outcome": "name:text description:rich? data:data",
    "data": "| text:rich formula:OTHER byteData:OTHER xml:OTHER quantity:quantity list:OTHER",
    "quantity": "name:text? description:rich? (noQuantity:rich|charsXMLList:OTHER|si:real) relativeUncertainty:OTHER? "
    "usedMethods:methods? usedSoftware:softwares? measuringEquipments:OTHER? influenceConditions:OTHER? "
    "measurementMetaData:metaData?",
    "text": "content:worded*",
    "rich": "name:text? content:worded* file:OTHER? formula:OTHER?",
}
VALUES = {
    "line": r"[^\s]+(\s+[^\s]+)*", "country": "[A-Z]{2}", "language": "[a-z]{2}",
    "place": "laboratory|customer|laboratoryBranch|customerBranch|other",
    "issuer": "manufacturer|calibrationLaboratory|customer|owner|other",
    "softwareKind": "application|bios|driver|editor|firmware|library|os|other",
}  # fmt: skip
DECIMAL = r"[-+]?((\d*\.\d+)|(\d+\.\d*)|(\d+\.?))([Ee][-+]?\d+)?"
UNNAMED = {"softwares", "core", "items", "identifications", "laboratory", "persons", "statements", "metaData"}
UNNAMED |= {"results", "methods", "outcomes", "administration", "certificate", "location"}  # they have no references
HEAD = '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:dcc="https://ptb.de/dcc" '
HEAD += 'xmlns:si="https://ptb.de/si" elementFormDefault="qualified" targetNamespace='


def element(told):
    """name:type with ? or *, or si:real."""
    if told == "si:real":
        return '<xs:element ref="si:real"/>'
    name, kind, often = re.fullmatch(r"(\w+):([\w:]+)([?*]?)", told).groups()
    kind = kind if kind.startswith("xs:") else f"dcc:{kind}"
    times = {"?": ' minOccurs="0"', "*": ' maxOccurs="unbounded"', "": ""}[often]
    return f'<xs:element name="{name}" type="{kind}"{times}/>'


def content(told):
    words = told.split()
    if words[0] == "|":
        return f'<xs:choice maxOccurs="unbounded">{"".join(map(element, words[1:]))}</xs:choice>'
    if words[0] == "all":
        return f"<xs:all>{''.join(map(element, words[1:]))}</xs:all>"
    found = [
        f"<xs:choice>{''.join(map(element, word[1:-1].split('|')))}</xs:choice>" if word[0] == "(" else element(word)
        for word in words
    ]
    return f"<xs:sequence>{''.join(found)}</xs:sequence>"


def restricted(name, base, pattern):
    restriction = f'<xs:restriction base="{base}"><xs:pattern value={quoteattr(pattern)}/></xs:restriction>'
    return f'<xs:simpleType name="{name}">{restriction}</xs:simpleType>'


def certificate_schema():
    """The schema of the certificate's own elements."""
    attributes = '<xs:attribute name="id" type="xs:ID"/>'
    own = '<xs:attribute name="schemaVersion" use="required"><xs:simpleType><xs:restriction base="xs:string">'
    own += r'<xs:pattern value="3\.2\.1"/></xs:restriction></xs:simpleType></xs:attribute>'
    body = [f'{HEAD}"https://ptb.de/dcc"><xs:import namespace="https://ptb.de/si" schemaLocation="si.xsd"/>']
    body += ['<xs:element name="digitalCalibrationCertificate" type="dcc:certificate"/>']
    for name, told in TYPES.items():
        extra = own if name == "certificate" else "" if name in UNNAMED else attributes
        body += [f'<xs:complexType name="{name}">{content(told)}{extra}</xs:complexType>']
    body += [restricted(name, "xs:string", pattern) for name, pattern in VALUES.items()]
    body += ['<xs:complexType name="worded"><xs:simpleContent><xs:extension base="xs:string">']
    body += ['<xs:attribute name="lang" type="dcc:language"/></xs:extension></xs:simpleContent></xs:complexType>']
    body += ['<xs:complexType name="OTHER"><xs:attribute name="never" use="required"/></xs:complexType></xs:schema>']
    return "".join(body)


def quantity_schema():
    """D-SI's real quantity, as far as we write it."""
    real = '<xs:element name="label" type="xs:string" minOccurs="0"/><xs:element name="value" type="si:decimal"/>'
    real += '<xs:element name="unit" type="xs:string"/>'
    return (
        f'{HEAD}"https://ptb.de/si"><xs:element name="real"><xs:complexType><xs:sequence>{real}</xs:sequence>'
        f"</xs:complexType></xs:element>{restricted('decimal', 'xs:double', DECIMAL)}</xs:schema>"
    )
